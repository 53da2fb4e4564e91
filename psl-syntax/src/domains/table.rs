//! The possible values of each register before each layer and at each `until`.

use std::ops::Range;

use super::{
    domain::{Domain, Wide},
    point::ProgramPoint,
    values::{Values, position},
};
use crate::{
    index::{IndexVec, id},
    program::{Comparison, ConstantId, Function, Operand, ProductionId, RegisterId},
};

id! {
    /// Index of a state of a register.
    pub(super) NodeId
}

/// The possible values of each register before each layer.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    pub(crate) values: Values,
    pub(super) nodes: IndexVec<NodeId, Domain>,
    /// The range of `reads` of each layer.
    pub(super) layers: IndexVec<ProductionId, Range<usize>>,
    /// The range of `reads` of the `until` of each block, in the order in which the blocks end.
    pub(super) untils: Vec<Range<usize>>,
    /// Registers with their states, sorted by register within a layer.
    pub(super) reads: Vec<(RegisterId, NodeId)>,
}

impl Domains {
    /// The possible values of a register before a layer, in any cell. `None` if the layer does not
    /// mention it.
    pub fn before(&self, layer: ProductionId, register: RegisterId) -> Option<&Domain> {
        self.find(self.layers.find(layer)?, register)
    }

    /// The possible values of a register before any layer, in any cell. `None` if no layer mentions it.
    pub fn before_any(&self, register: RegisterId) -> Option<Domain> {
        let mut nodes = self.reads.iter().filter(|(read, _)| *read == register).map(|(_, node)| &self.nodes[*node]);
        let mut all = nodes.next()?.clone();
        for domain in nodes {
            all.join(&self.values, domain);
        }
        Some(all)
    }

    /// Whether a domain contains a value. `None` is null.
    pub fn admits(&self, domain: &Domain, value: Option<&str>) -> bool {
        let Some(value) = value else { return domain.null };
        let position = position(value);
        let wide = domain.wide.is_some_and(|wide| match wide {
            Wide::CellPositions => position.is_some_and(|position| position > 0),
            Wide::Positions => position.is_some(),
            Wide::Symbols => true,
        });
        wide || domain.constants.iter().any(|id| self.values.values[*id].text == value)
    }

    /// The registers that some layer mentions and that can hold a constant. Registers that can hold any symbol, or
    /// hold the constant only as a position, are not included.
    pub fn holders(&self, constant: ConstantId) -> Vec<RegisterId> {
        // A program with errors has no values.
        let Some(value) = self.values.of_constant.find(constant) else { return Vec::new() };
        let holds = |node: NodeId| self.nodes[node].constants.contains(value);
        let mut found: Vec<_> =
            self.reads.iter().filter(|(_, node)| holds(*node)).map(|(register, _)| *register).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The possible values of a register at a point, or an empty domain if the point does not mention it.
    pub(crate) fn at(&self, point: ProgramPoint, register: RegisterId) -> &Domain {
        let reads = match point {
            ProgramPoint::Layer(layer) => self.layers.find(layer),
            ProgramPoint::Until(block) => self.untils.get(block),
        };
        reads.and_then(|reads| self.find(reads, register)).unwrap_or(Domain::NOTHING)
    }

    /// The possible values of the right side of a condition at a point.
    pub(crate) fn right(&self, point: ProgramPoint, comparison: &Comparison) -> Right {
        match comparison {
            Comparison::Is(Operand::Register(place, function))
            | Comparison::IsNot(Operand::Register(place, function)) => Right {
                domain: self.at(point, place.register).shifted(&self.values, *function),
                register: Some((place.register, *function)),
            },
            Comparison::Is(Operand::Constant(id)) | Comparison::IsNot(Operand::Constant(id)) => {
                Right { domain: Domain::list(&self.values, &[*id]), register: None }
            }
            Comparison::In(list) | Comparison::NotIn(list) => {
                Right { domain: Domain::list(&self.values, list), register: None }
            }
        }
    }

    fn find(&self, range: &Range<usize>, register: RegisterId) -> Option<&Domain> {
        let reads = self.reads.get(range.clone())?;
        let found = reads.binary_search_by_key(&register, |(read, _)| *read).ok()?;
        let (_, node) = reads.get(found)?;
        Some(&self.nodes[*node])
    }
}

/// The right side of a condition: its possible values, and the register that it reads.
pub(crate) struct Right {
    pub(crate) domain: Domain,
    pub(crate) register: Option<(RegisterId, Option<Function>)>,
}
