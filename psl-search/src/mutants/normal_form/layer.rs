//! Productions in normal form.

use std::collections::{BTreeMap, BTreeSet};

use psl_syntax::{
    Checked,
    causality::{Reach, reach},
    domains::{Verdict, Verdicts},
    program::{
        CausalAttn, Cell, CellRegister, Condition, EOP, Function, Operand, PARSING, Production, ProductionId, Program,
        RegisterId, Select,
    },
};

use super::claims::{Claims, Possible, Term};

/// A production in normal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Layer {
    sees: Sees,
    is_rightmost: bool,
    pub claims: Claims,
    pub writes: BTreeMap<RegisterId, (Term, Option<Function>)>,
}

/// The cells that a cell can attend to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sees {
    Itself,
    NotAfter,
    NotBefore,
    All,
}

impl Layer {
    /// Whether running it before another one, and not after, may matter to the other.
    pub fn affects(&self, other: &Self) -> bool {
        let sources = || other.writes.values().filter_map(|(term, _)| term.register());
        let reads = |register| other.claims.reads().chain(sources()).any(|place| place.register == register);
        self.writes.keys().any(|register| other.writes.contains_key(register) || reads(*register))
    }
}

/// Reads the productions of a program in order.
pub struct Reader<'p> {
    checked: &'p Checked,
    program: &'p Program,
    /// Whether the facts about values hold in runs: they treat a register with the name of a role as having it.
    knows_values: bool,
    next: usize,
}

impl<'p> Reader<'p> {
    pub fn new(checked: &'p Checked) -> Self {
        let knows_values = checked.analysis.namesakes.is_empty();
        Self { checked, program: &checked.analysis.program, knows_values, next: 0 }
    }

    /// The next production. `None` if it never fires.
    pub fn layer(&mut self, production: &Production) -> Option<Layer> {
        let layer = ProductionId::new(self.next);
        self.next += 1;
        let verdicts = if self.knows_values { self.checked.analysis.verdicts() } else { &Verdicts::default() };
        if verdicts.never_fires(layer) {
            return None;
        }
        let proved = verdicts.layers.find(layer).map_or(&[] as &[_], |proved| proved.conditions.as_slice());
        let decides = |(index, _): &(usize, &Condition)| proved.get(*index) != Some(&Verdict::Always);
        let conditions: Vec<&Condition> =
            production.conditions.iter().enumerate().filter(decides).map(|(_, condition)| condition).collect();
        let sees = sees(self.program, production);
        // N attends to itself, so n is N.
        let of = |place: CellRegister| match sees {
            Sees::Itself => CellRegister { cell: Cell::Updated, ..place },
            Sees::NotAfter | Sees::NotBefore | Sees::All => place,
        };
        let known = PossibleBefore { checked: self.checked, layer };
        let possible: &dyn Possible = if self.knows_values { &known } else { &Anything };
        let claims = Claims::new(self.program, &conditions, of, possible)?;
        let mut writes = BTreeMap::new();
        for assignment in &production.assignments {
            let target = CellRegister { register: assignment.target, cell: Cell::Updated };
            let source = match assignment.source {
                Operand::Constant(constant) => (Term::Value(self.program.constants[constant].value.clone()), None),
                Operand::Register(place, None) => (claims.representative(of(place)), None),
                Operand::Register(place, function) => (Term::Read(claims.first(of(place))), function),
            };
            if source != (claims.representative(target), None) {
                writes.insert(assignment.target, source);
            }
        }
        let position = self.program.roles.position.map(|register| CellRegister { register, cell: Cell::Source });
        let attends_to_one = sees == Sees::Itself || position.is_some_and(|position| claims.fix(position));
        let is_rightmost = production.select == Select::Rightmost && !attends_to_one;
        Some(Layer { sees, is_rightmost, claims, writes })
    }

    /// The conditions of an `until`. `None` if they never hold together.
    pub fn until(&self, conditions: &[Condition]) -> Option<Claims> {
        let conditions: Vec<&Condition> = conditions.iter().collect();
        Claims::new(self.program, &conditions, |place| place, &Anything)
    }
}

/// The cells that matter to a mask with these conditions.
fn sees(program: &Program, production: &Production) -> Sees {
    match (reach(program, production), production.causal_attn) {
        (Reach::Same, _) => Sees::Itself,
        (_, Some(CausalAttn::True)) | (Reach::Left | Reach::NotAfter, Some(CausalAttn::False) | None) => Sees::NotAfter,
        (_, Some(CausalAttn::Reverse)) | (Reach::Right | Reach::NotBefore, _) => Sees::NotBefore,
        (Reach::Any, Some(CausalAttn::False) | None) => Sees::All,
    }
}

/// The values that registers can have before a layer.
struct PossibleBefore<'p> {
    checked: &'p Checked,
    layer: ProductionId,
}

impl Possible for PossibleBefore<'_> {
    fn values(&self, place: CellRegister) -> Option<BTreeSet<String>> {
        let analysis = &self.checked.analysis;
        let domain = analysis.domains.before(self.layer, place.register)?;
        if !domain.is_finite() {
            return None;
        }
        let constants = analysis.program.constants.iter().map(|constant| constant.value.as_str());
        let all = constants.chain([PARSING, EOP]).filter(|value| analysis.domains.admits(domain, Some(value)));
        Some(all.map(str::to_owned).collect())
    }

    fn admits(&self, place: CellRegister, value: &str) -> bool {
        let domains = &self.checked.analysis.domains;
        domains.before(self.layer, place.register).is_none_or(|domain| domains.admits(domain, Some(value)))
    }

    fn is_never_null(&self, place: CellRegister) -> bool {
        let domain = self.checked.analysis.domains.before(self.layer, place.register);
        domain.is_some_and(|domain| !domain.has_null())
    }
}

/// No knowledge about values.
struct Anything;

impl Possible for Anything {
    fn values(&self, _: CellRegister) -> Option<BTreeSet<String>> {
        None
    }

    fn admits(&self, _: CellRegister, _: &str) -> bool {
        true
    }

    fn is_never_null(&self, _: CellRegister) -> bool {
        false
    }
}
