//! The breakpoints that a client has set.

use psl_debug::{BreakOn, Breakpoint, DebugCondition, Exception, HitCount, LogMessage};
use psl_program::File;
use psl_runtime::CellId;
use psl_syntax::program::RegisterId;
use serde::Deserialize;

use crate::{lines::Lines, numbering::Numbering, refusal::Refusal};

/// The breakpoints of each kind. A request sets all of one kind.
#[derive(Default)]
pub struct Breakpoints {
    lines: Vec<Breakpoint>,
    /// Those on lines of the text that runs, after the file has changed. A restart removes them.
    old_lines: Vec<Breakpoint>,
    functions: Vec<Breakpoint>,
    data: Vec<Breakpoint>,
    exceptions: Vec<Breakpoint>,
    wanted: Requested,
    /// The number of breakpoints that were ever set.
    set: usize,
    /// Whether those on productions also stop where these do not fire.
    everywhere: bool,
}

/// The breakpoints as the client requested them, to set them again in an edited program.
#[derive(Clone, Default)]
struct Requested {
    lines: Vec<OnLine>,
    functions: Vec<OnLabel>,
    data: Vec<OnData>,
    exceptions: Vec<OnFault>,
}

/// A breakpoint on a line.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnLine {
    line: usize,
    #[serde(flatten)]
    when: When,
}

/// A breakpoint on a production with this label.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnLabel {
    name: String,
    #[serde(flatten)]
    when: When,
}

/// A breakpoint on a register of a cell.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnData {
    data_id: String,
    #[serde(default)]
    access_type: Option<String>,
    #[serde(flatten)]
    when: When,
}

/// A fault to stop at.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnFault {
    filter_id: String,
    #[serde(flatten)]
    when: When,
}

impl OnFault {
    /// Creates a breakpoint on the fault with this name, without a condition.
    pub fn new(filter_id: String) -> Self {
        Self { filter_id, when: When::default() }
    }
}

/// When a breakpoint stops.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct When {
    condition: Option<String>,
    hit_condition: Option<String>,
    log_message: Option<String>,
}

/// A breakpoint that is set, or the reason why it is refused.
pub type Found = Result<Breakpoint, Refusal>;

impl Breakpoints {
    /// Creates breakpoints of which none is set. With `everywhere`, those on productions also stop where these do not
    /// fire.
    pub fn new(everywhere: bool) -> Self {
        Self { everywhere, ..Self::default() }
    }

    /// Finds the requested breakpoints in another version of the program.
    pub fn in_version(&self, file: &File, numbering: Numbering, everywhere: bool) -> Self {
        let Requested { lines, functions, data, exceptions } = &self.wanted;
        let mut found = Self { set: self.set, ..Self::new(everywhere) };
        found.set_lines(file, &Lines::Current, numbering, lines);
        found.set_functions(file, functions);
        found.set_data(file, data);
        found.set_exceptions(file, exceptions);
        found
    }

    /// The breakpoints of all kinds.
    pub fn all(&self) -> Vec<Breakpoint> {
        [&self.lines, &self.old_lines, &self.functions, &self.data, &self.exceptions]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }

    /// The reason of a stop at these breakpoints, and its fault.
    pub fn reason(&self, ids: &[usize]) -> (&'static str, Option<Exception>) {
        let has = |breakpoints: &[Breakpoint]| breakpoints.iter().any(|breakpoint| ids.contains(&breakpoint.id));
        let is_hit = |breakpoint: &&Breakpoint| ids.contains(&breakpoint.id);
        let exception = self.exceptions.iter().find(is_hit).and_then(|breakpoint| match breakpoint.on {
            BreakOn::Exception(exception) => Some(exception),
            _ => None,
        });
        match exception {
            Some(_) => ("exception", exception),
            None if has(&self.data) => ("data breakpoint", None),
            None if has(&self.functions) => ("function breakpoint", None),
            None => ("breakpoint", None),
        }
    }

    fn numbered(&mut self, file: &File, on: BreakOn, when: &When) -> Found {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        self.set += 1;
        Ok(Breakpoint {
            id: self.set,
            on,
            condition: given(&when.condition).map(|text| DebugCondition::parse(file, &text)).transpose()?,
            hits: given(&when.hit_condition).map(|text| HitCount::parse(&text)).transpose()?,
            log: given(&when.log_message).map(|text| LogMessage::parse(file, &text)).transpose()?,
        })
    }

    /// Sets the breakpoints on lines, and returns each. A line without a production means the next production.
    pub fn set_lines(&mut self, file: &File, lines: &Lines, numbering: Numbering, wanted: &[OnLine]) -> Vec<Found> {
        let found: Vec<_> = wanted.iter().map(|wanted| self.on_line(file, lines, numbering, wanted)).collect();
        if let Lines::Old = lines {
            self.old_lines = accepted(&found);
        } else {
            self.lines = accepted(&found);
            self.wanted.lines = wanted.to_vec();
        }
        found
    }

    fn on_line(&mut self, file: &File, lines: &Lines, numbering: Numbering, wanted: &OnLine) -> Found {
        let layer = lines.layer(file, numbering, wanted.line)?;
        self.numbered(file, BreakOn::Layer { layer, everywhere: self.everywhere }, &wanted.when)
    }

    /// Sets the breakpoints on labels, and returns each.
    pub fn set_functions(&mut self, file: &File, wanted: &[OnLabel]) -> Vec<Found> {
        let found: Vec<_> = wanted.iter().map(|wanted| self.on_label(file, wanted)).collect();
        self.functions = accepted(&found);
        self.wanted.functions = wanted.to_vec();
        found
    }

    fn on_label(&mut self, file: &File, OnLabel { name, when }: &OnLabel) -> Found {
        let layer = file.layer_names().layer(name)?;
        self.numbered(file, BreakOn::Layer { layer, everywhere: self.everywhere }, when)
    }

    /// Sets the breakpoints on registers, and returns each.
    pub fn set_data(&mut self, file: &File, wanted: &[OnData]) -> Vec<Found> {
        let found: Vec<_> = wanted.iter().map(|wanted| self.on_data(file, wanted)).collect();
        self.data = accepted(&found);
        self.wanted.data = wanted.to_vec();
        found
    }

    fn on_data(&mut self, file: &File, OnData { data_id, access_type, when }: &OnData) -> Found {
        let (register, cell) = data_of_id(file, data_id).ok_or_else(|| Refusal::NotData(data_id.clone()))?;
        // The protocol has no access type for writes that keep the value.
        let write = access_type.as_deref() == Some("readWrite");
        self.numbered(file, BreakOn::Data { register, cell, write, values: None }, when)
    }

    /// Sets the faults to stop at, and returns each.
    pub fn set_exceptions(&mut self, file: &File, wanted: &[OnFault]) -> Vec<Found> {
        let found: Vec<_> = wanted.iter().map(|wanted| self.on_fault(file, wanted)).collect();
        self.exceptions = accepted(&found);
        self.wanted.exceptions = wanted.to_vec();
        found
    }

    fn on_fault(&mut self, file: &File, OnFault { filter_id, when }: &OnFault) -> Found {
        // A workspace may have stored the names of earlier versions.
        let names = [("gold", "wrong"), ("right", "ahead"), ("machines", "disagree")];
        let name = names.iter().find(|(old, _)| old == filter_id).map_or(filter_id.as_str(), |(_, name)| name);
        let exception = Exception::from_name(name).ok_or_else(|| Refusal::UnknownException(filter_id.clone()))?;
        self.numbered(file, BreakOn::Exception(exception), when)
    }
}

fn accepted(found: &[Found]) -> Vec<Breakpoint> {
    found.iter().flatten().cloned().collect()
}

/// The name of a register of a cell, such as `field[5]`.
pub fn data_id(file: &File, register: RegisterId, cell: CellId) -> Option<String> {
    let register = file.program().registers.find(register)?;
    Some(format!("{}[{cell}]", register.name))
}

/// The register and the cell of `field[5]`, or the register of `field`, which stands for all cells.
fn data_of_id(file: &File, id: &str) -> Option<(RegisterId, Option<CellId>)> {
    let registers = &file.program().registers;
    let register = |name: &str| registers.iter().position(|register| register.name == name).map(RegisterId::new);
    match id.strip_suffix(']') {
        None => Some((register(id)?, None)),
        Some(id) => {
            let (name, cell) = id.split_once('[')?;
            Some((register(name)?, Some(CellId::of_number(cell.parse().ok()?)?)))
        }
    }
}
