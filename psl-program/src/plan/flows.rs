//! The flow of registers between the heads of a plan.

use std::collections::BTreeMap;

use psl_syntax::program::{ProductionId, Program, RegisterId};

use super::named_layers::Plan;

/// A register that one production writes and another, in a later layer, reads.
pub struct Flow {
    /// The register.
    pub register: RegisterId,
    /// The production that writes, 0-based.
    pub from: usize,
    /// The production that reads, 0-based.
    pub to: usize,
}

impl Plan {
    /// The registers that each production reads, from the last layer before its own that writes them. Earlier layers
    /// may have written other cells. What a repeat block writes for its next pass is left out.
    pub fn flows(&self, program: &Program) -> Vec<Flow> {
        let productions = program.productions();
        let mut last = BTreeMap::<RegisterId, Vec<usize>>::new();
        let mut flows = Vec::new();
        for heads in &self.schedule.layers {
            for (to, production) in
                heads.iter().filter_map(|head| Some((*head, productions.find(ProductionId::new(*head))?)))
            {
                for register in production.registers_read() {
                    let writers = last.get(&register).into_iter().flatten();
                    flows.extend(writers.map(|from| Flow { register, from: *from, to }));
                }
            }
            let mut writers = BTreeMap::<RegisterId, Vec<usize>>::new();
            for head in heads {
                let assignments = productions.find(ProductionId::new(*head)).map(|production| &production.assignments);
                for assignment in assignments.into_iter().flatten() {
                    let of_register = writers.entry(assignment.target).or_default();
                    if of_register.last() != Some(head) {
                        of_register.push(*head);
                    }
                }
            }
            last.extend(writers);
        }
        flows
    }
}
