//! The data flow between productions, as a call hierarchy: a production is called by those that feed it.
//!
//! One production feeds another if it writes a register that the other reads in a condition or on the right of an
//! assignment, and the write can reach the read in one pass through the layers of a cell: the writer comes before the
//! reader, or both are in one repeat block, whose next pass follows. A production in a block may feed itself. This
//! ignores productions in between that overwrite the register, `until` clauses, writes of the machine, and values that
//! a generated cell inherits from the preceding one.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
};

use psl_program::File;
use psl_syntax::{
    Span,
    index::IndexVec,
    names::{Access, Reference, Symbol},
    program::{Production, ProductionId, Program, RegisterId, Statement, productions},
};
use serde::{Deserialize, Serialize};

use crate::document_symbols::{self, SymbolKind, document_symbols, flat};

/// A production.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallHierarchyItem {
    /// The label, or the layer.
    pub name: String,
    /// The layer unless it is the name, and the registers that it reads and writes. May be empty.
    pub detail: String,
    /// The whole production, including its label.
    pub span: Span,
    /// The span of its name, inside `span`.
    pub selection: Span,
    /// The key that finds it again.
    pub key: ProductionKey,
}

/// A key that finds a production again in another version of the text. A production that was edited is not found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductionKey {
    /// A digest of its text without its label, 16 hexadecimal digits.
    digest: String,
    /// The number of preceding productions with the same text.
    nth: usize,
    /// The number of all productions with this text. If it changes, it is unknown which one the key is for.
    of: usize,
}

/// A production that feeds another, or is fed by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The other production.
    pub item: CallHierarchyItem,
    /// The writes that are read: the names of registers in the feeding production, in the order of the text.
    pub writes: Vec<Span>,
}

/// Returns the production around a byte offset, which may be in its label.
pub fn prepare_call_hierarchy(file: &File, offset: u32) -> Option<CallHierarchyItem> {
    let flow = DataFlow::new(file);
    let symbols = document_symbols(file);
    let symbols = of_productions(&symbols);
    let before = symbols.partition_point(|symbol| symbol.span.start <= offset);
    let layer = ProductionId::of_number(before)?;
    let symbol = symbols.get(layer.index()).filter(|symbol| symbol.span.touches(offset))?;
    flow.item(layer, symbol)
}

/// Returns the productions that feed `callee`, in program order, with their writes. `None` if the text no longer
/// contains it.
pub fn incoming_calls(file: &File, callee: &ProductionKey) -> Option<Vec<Call>> {
    let flow = DataFlow::new(file);
    let callee = flow.find(callee)?;
    let read: BTreeSet<RegisterId> = flow.uses(callee, Access::Read).map(|(id, _)| id).collect();
    let feeding = |caller| {
        let writes = flow.uses(caller, Access::Write).filter(|(id, _)| read.contains(id)).map(|(_, span)| span);
        if flow.reaches(caller, callee) { writes.collect() } else { Vec::new() }
    };
    Some(flow.calls(feeding))
}

/// Returns the productions that `caller` feeds, in program order, with the writes that they read. `None` if the text no
/// longer contains it.
pub fn outgoing_calls(file: &File, caller: &ProductionKey) -> Option<Vec<Call>> {
    let flow = DataFlow::new(file);
    let caller = flow.find(caller)?;
    let mut written: BTreeMap<RegisterId, Vec<Span>> = BTreeMap::new();
    for (id, span) in flow.uses(caller, Access::Write) {
        written.entry(id).or_default().push(span);
    }
    let fed = |callee| {
        let read = flow.uses(callee, Access::Read).filter_map(|(id, _)| written.get(&id)).flatten().copied();
        let read: BTreeSet<Span> = if flow.reaches(caller, callee) { read.collect() } else { BTreeSet::new() };
        read.into_iter().collect()
    };
    Some(flow.calls(fed))
}

/// The productions of a file.
struct DataFlow<'f> {
    file: &'f File,
    productions: IndexVec<ProductionId, &'f Production>,
    keys: IndexVec<ProductionId, ProductionKey>,
    /// The outermost repeat block around each production.
    blocks: IndexVec<ProductionId, Option<usize>>,
}

impl<'f> DataFlow<'f> {
    fn new(file: &'f File) -> Self {
        let program = file.program();
        let productions = program.productions();
        Self {
            file,
            keys: keys(file.text(), productions.as_slice()).into(),
            productions,
            blocks: outermost_blocks(program).into(),
        }
    }

    fn find(&self, key: &ProductionKey) -> Option<ProductionId> {
        self.keys.ids().find(|layer| self.keys[*layer] == *key)
    }

    /// Whether a write in one layer can reach a read in another.
    fn reaches(&self, from: ProductionId, to: ProductionId) -> bool {
        let block = |layer: ProductionId| self.blocks[layer];
        from < to || (block(from).is_some() && block(from) == block(to))
    }

    /// The registers that a layer reads or writes, in the order of the text.
    fn uses(&self, layer: ProductionId, access: Access) -> impl Iterator<Item = (RegisterId, Span)> + use<'f> {
        let names = &self.file.analysis().names;
        let references = self.productions.find(layer).map_or(&[][..], |production| names.within(production.span));
        references.iter().filter_map(move |reference| match *reference {
            Reference { symbol: Symbol::Register(id), access: found, span } if found == access => Some((id, span)),
            _ => None,
        })
    }

    /// The layers with at least one write.
    fn calls(&self, writes: impl Fn(ProductionId) -> Vec<Span>) -> Vec<Call> {
        let symbols = document_symbols(self.file);
        let call = |(layer, symbol): (ProductionId, &document_symbols::Symbol)| {
            let writes = writes(layer);
            if writes.is_empty() { None } else { Some(Call { item: self.item(layer, symbol)?, writes }) }
        };
        self.productions.ids().zip(of_productions(&symbols)).filter_map(call).collect()
    }

    fn item(&self, layer: ProductionId, symbol: &document_symbols::Symbol) -> Option<CallHierarchyItem> {
        let number = format!("layer {layer}");
        let flow = [self.listed(layer, "reads", Access::Read), self.listed(layer, "writes", Access::Write)];
        let flow = flow.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let words = [number, flow].into_iter().filter(|words| !words.is_empty() && *words != symbol.name);
        Some(CallHierarchyItem {
            name: symbol.name.clone(),
            detail: words.collect::<Vec<_>>().join(": "),
            span: symbol.span,
            selection: symbol.selection,
            key: self.keys.find(layer)?.clone(),
        })
    }

    /// The verb, then the registers that a layer reads or writes, each once.
    fn listed(&self, layer: ProductionId, verb: &str, access: Access) -> Option<String> {
        let program = self.file.program();
        let mut seen = BTreeSet::new();
        let registers = self.uses(layer, access).map(|(id, _)| id).filter(|id| seen.insert(*id));
        let names: Vec<&str> = registers.map(|id| program.registers[id].name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    }
}

/// The symbols of productions, by layer.
fn of_productions(symbols: &[document_symbols::Symbol]) -> Vec<&document_symbols::Symbol> {
    let all = flat(symbols).into_iter().map(|(symbol, _)| symbol);
    all.filter(|symbol| symbol.kind == SymbolKind::Production).collect()
}

fn keys(text: &str, productions: &[&Production]) -> Vec<ProductionKey> {
    let digests: Vec<String> = productions.iter().map(|production| digest(production.span.of(text))).collect();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let nth: Vec<usize> = digests
        .iter()
        .map(|digest| {
            let count = seen.entry(digest).or_default();
            *count += 1;
            *count - 1
        })
        .collect();
    let key = |(digest, nth): (&String, usize)| ProductionKey {
        digest: digest.clone(),
        nth,
        of: seen.get(digest.as_str()).copied().unwrap_or_default(),
    };
    digests.iter().zip(nth).map(key).collect()
}

fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn outermost_blocks(program: &Program) -> Vec<Option<usize>> {
    let layers = |(index, statement): (usize, &Statement)| match statement {
        Statement::Production(_) => vec![None],
        Statement::Repeat(repeat) => vec![Some(index); productions(&repeat.body).len()],
    };
    program.statements.iter().enumerate().flat_map(layers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    #[test]
    fn incoming_and_outgoing_calls_agree() {
        let file = file(include_str!("../../examples/pargen.psl"));
        let keys = DataFlow::new(&file).keys;
        let mut fed = 0;
        for caller in &keys {
            for outgoing in outgoing_calls(&file, caller).expect("a production of the text") {
                let incoming = incoming_calls(&file, &outgoing.item.key).expect("a production of the text");
                let back = incoming.iter().find(|call| call.item.key == *caller).expect("the feeding production");
                assert_eq!(back.writes, outgoing.writes);
                fed += 1;
            }
        }
        let incoming = keys.iter().map(|key| incoming_calls(&file, key).expect("a production of the text").len());
        assert_eq!(incoming.sum::<usize>(), fed);
        assert!(fed > 50, "{fed}");
    }
}
