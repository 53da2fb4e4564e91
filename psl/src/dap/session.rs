//! A launched program, and the requests about it.

use std::{mem, path::Path, sync::Arc};

use psl_ide::{
    Progress,
    debugger::{
        Debugger, Direction, Hit, Moment, Moved, Place, Resumed, Step, Variable,
        console::{Command, Console},
        evaluate, scopes, stack, start_of_frame,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    breakpoints::{Breakpoints, FAULTS, OnData, OnFault, OnLabel, OnLine, data_id, layer_of_line},
    launch::Arguments,
    numbering::Numbering,
    protocol::Refusal,
    stop::Stop,
};

type Answer = Result<Value, Refusal>;

/// The number of frames or variables of a stop is below this, so that a number names its stop, too.
const OF_A_STOP: i64 = 1_000;
/// The number of stops after which numbers are used again.
const STOPS: i64 = 2_000_000;

/// A launched program.
pub struct Session {
    arguments: Arguments,
    numbering: Numbering,
    debugger: Debugger,
    breakpoints: Breakpoints,
    /// The number of the current stop.
    stop: i64,
    /// The moments that `gotoTargets` offered.
    targets: Vec<Moment>,
    /// The fault at the current moment, an index of [`FAULTS`].
    fault: Option<usize>,
    /// Whether a movement has already stopped at the end of the run.
    ended: bool,
    console: Console,
    /// Whether the last command of the console has moved.
    moved_by_console: bool,
}

/// Breakpoints to set.
#[derive(Deserialize)]
pub struct Wanted<T> {
    #[serde(default = "Vec::new")]
    breakpoints: Vec<T>,
}

/// Faults to stop at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WantedFaults {
    #[serde(default)]
    filters: Vec<String>,
    #[serde(default)]
    filter_options: Vec<OnFault>,
}

/// A variable of a scope, or an expression.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    name: String,
    #[serde(default)]
    variables_reference: Option<i64>,
}

/// A frame.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfFrame {
    frame_id: i64,
}

/// A scope.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfVariables {
    variables_reference: i64,
}

/// The wanted part of a stack.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Frames {
    start_frame: usize,
    levels: usize,
}

/// An expression to evaluate, or a command.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    expression: String,
    #[serde(default)]
    frame_id: Option<i64>,
    #[serde(default)]
    context: String,
}

/// A line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnALine {
    line: usize,
    #[serde(default)]
    end_line: Option<usize>,
}

/// A target of `gotoTargets`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    target_id: usize,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Granularity {
    granularity: Option<String>,
}

impl Session {
    /// Reads a program and records its run. A restart keeps the breakpoints of the session before.
    ///
    /// # Errors
    ///
    /// Returns a message if the program does not compile, or the prompt is missing or cannot be used.
    pub fn new(
        arguments: Arguments,
        numbering: Numbering,
        earlier: Option<&Self>,
        progress: &Progress,
    ) -> Result<Self, String> {
        let file = arguments.file()?;
        let launch = arguments.launch(&file)?;
        let debugger = Debugger::new(Arc::new(file), &launch, progress).map_err(|failure| failure.message)?;
        let stop = earlier.map_or(0, |earlier| earlier.stop);
        let breakpoints = earlier.map(|earlier| earlier.breakpoints.in_version(debugger.file(), numbering));
        let mut session = Self {
            arguments,
            numbering,
            debugger,
            breakpoints: breakpoints.unwrap_or_default(),
            stop,
            targets: Vec::new(),
            fault: None,
            ended: false,
            console: Console::new(None),
            moved_by_console: false,
        };
        session.moved();
        Ok(session)
    }

    /// The arguments of its launch.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// The frames and variables of earlier stops become unknown.
    fn moved(&mut self) {
        self.stop = (self.stop + 1) % STOPS;
        self.targets.clear();
    }

    fn id(&self, index: usize) -> i64 {
        self.stop * OF_A_STOP + 1 + i64::try_from(index).unwrap_or(OF_A_STOP)
    }

    /// The index that a number of the current stop stands for.
    fn index(&self, id: i64, what: &str) -> Result<usize, Refusal> {
        let index = id.checked_sub(self.id(0)).filter(|index| (0..OF_A_STOP).contains(index));
        let index = index.and_then(|index| usize::try_from(index).ok());
        index.ok_or_else(|| format!("{what} {id} is not one of the current stop: ask for the stack again").into())
    }

    /// The frames of the stack, innermost first.
    pub fn stack_trace(&self, &Frames { start_frame, levels }: &Frames) -> Value {
        let frames = stack(&self.debugger);
        let total = frames.len();
        let levels = if levels == 0 { total } else { levels };
        let shown = frames.iter().enumerate().skip(start_frame).take(levels).map(|(index, frame)| {
            let mut shown = json!({ "id": self.id(index), "name": frame.name, "line": 0, "column": 0 });
            let Some((object, span)) = shown.as_object_mut().zip(frame.span) else { return shown };
            object.insert("source".to_owned(), self.source_value());
            object.extend(self.numbering.range(self.debugger.file(), span));
            shown
        });
        json!({ "stackFrames": shown.collect::<Vec<_>>(), "totalFrames": total })
    }

    fn source_value(&self) -> Value {
        let path = self.arguments.source_path();
        let name =
            path.as_deref().and_then(Path::file_name).map_or("program.psl".into(), |name| name.to_string_lossy());
        match &path {
            Some(path) => json!({ "name": name, "path": path }),
            None => json!({ "name": name, "sourceReference": 1 }),
        }
    }

    /// The text of the program as it was launched.
    pub fn source(&self) -> Value {
        json!({ "content": self.debugger.file().text(), "mimeType": "text/x-psl" })
    }

    /// The scopes of a frame. All frames have the same.
    pub fn scopes(&self, of: &OfFrame) -> Answer {
        self.index(of.frame_id, "frame")?;
        let scopes = scopes(&self.debugger);
        let shown = scopes.iter().enumerate().map(|(index, scope)| {
            json!({ "name": scope.name, "variablesReference": self.id(index), "expensive": false,
                    "namedVariables": scope.variables.len() })
        });
        Ok(json!({ "scopes": shown.collect::<Vec<_>>() }))
    }

    /// The variables of a scope.
    pub fn variables(&self, of: &OfVariables) -> Answer {
        let index = self.index(of.variables_reference, "scope")?;
        let scopes = scopes(&self.debugger);
        let scope =
            scopes.get(index).ok_or_else(|| Refusal::from(format!("there is no scope {}", of.variables_reference)))?;
        let all = scope.variables.iter().map(shown);
        Ok(json!({ "variables": all.collect::<Vec<_>>() }))
    }

    /// Sets the breakpoints on lines.
    pub fn set_breakpoints(&mut self, wanted: &Wanted<OnLine>) -> Value {
        self.breakpoints.set_lines(self.debugger.file(), self.numbering, &wanted.breakpoints)
    }

    /// Sets the breakpoints on labels of productions.
    pub fn set_function_breakpoints(&mut self, wanted: &Wanted<OnLabel>) -> Value {
        self.breakpoints.set_functions(self.debugger.file(), self.numbering, &wanted.breakpoints)
    }

    /// Sets the breakpoints on registers of cells.
    pub fn set_data_breakpoints(&mut self, wanted: &Wanted<OnData>) -> Value {
        self.breakpoints.set_data(self.debugger.file(), self.numbering, &wanted.breakpoints)
    }

    /// Sets the faults to stop at.
    pub fn set_exception_breakpoints(&mut self, wanted: WantedFaults) -> Value {
        let plain = wanted.filters.into_iter().map(OnFault::new);
        let wanted: Vec<OnFault> = plain.chain(wanted.filter_options).collect();
        self.breakpoints.set_exceptions(self.debugger.file(), self.numbering, &wanted)
    }

    /// Whether a variable can have a breakpoint: a register of a cell can.
    pub fn data_breakpoint_info(&self, Named { name, variables_reference }: &Named) -> Answer {
        let not_data =
            || json!({ "dataId": null, "description": "only a register of a cell can have a data breakpoint" });
        let Some(scope) = *variables_reference else { return Ok(not_data()) };
        let scopes = scopes(&self.debugger);
        let scope = scopes.get(self.index(scope, "scope")?);
        let variable = scope.and_then(|scope| scope.variables.iter().find(|variable| variable.name == *name));
        let place = variable.and_then(|variable| variable.place);
        let id = place.and_then(|(register, cell)| data_id(self.debugger.file(), register, cell));
        let known =
            |id| json!({ "dataId": id, "description": id, "accessTypes": ["write", "readWrite"], "canPersist": true });
        Ok(id.map_or_else(not_data, known))
    }

    /// The lines that can have a breakpoint: those on which a production starts.
    pub fn breakpoint_locations(&self, OnALine { line, end_line }: &OnALine) -> Value {
        let file = self.debugger.file();
        let productions = file.checked().analysis.program.productions();
        let starts = productions.iter().map(|production| self.numbering.range(file, production.head));
        let wanted = *line..=end_line.unwrap_or(*line);
        let is_wanted = |start: &serde_json::Map<String, Value>| {
            start.get("line").and_then(Value::as_u64).is_some_and(|line| wanted.contains(&(line as usize)))
        };
        json!({ "breakpoints": starts.filter(is_wanted).collect::<Vec<_>>() })
    }

    /// The value of an expression, or the answer to a command of the console.
    pub fn evaluate(&mut self, of: &Evaluated, progress: &Progress) -> Answer {
        if of.context == "repl" && Command::names(&of.expression) {
            let before = self.debugger.moment();
            let command = Command::parse(&of.expression)?;
            let answer = self.console.execute(&mut self.debugger, &command, progress)?;
            self.moved_by_console = self.debugger.moment() != before;
            let lines: Vec<String> = answer.lines.into_iter().map(|line| line.text).collect();
            return Ok(json!({ "result": lines.join("\n"), "variablesReference": 0 }));
        }
        if let Some(frame) = of.frame_id {
            self.index(frame, "frame")?;
        }
        let value = evaluate(self.debugger.file(), self.debugger.run(), self.debugger.moment(), &of.expression)?;
        Ok(json!({ "result": value, "variablesReference": 0 }))
    }

    /// The fault at the current moment.
    pub fn exception_info(&self) -> Answer {
        let fault = self.fault.and_then(|fault| FAULTS.get(fault)).ok_or("there is no exception at this moment")?;
        let description = match self.debugger.run().outcome() {
            Err(failure) if self.debugger.place() == Place::End => failure.message.as_str(),
            _ => fault.description,
        };
        Ok(json!({ "exceptionId": fault.label, "description": description, "breakMode": "always" }))
    }

    /// The moments at which the production of a line runs next: for the cell that is looked at, or else the next one.
    pub fn goto_targets(&mut self, OnALine { line, .. }: &OnALine) -> Answer {
        let file = self.debugger.file();
        let layer = layer_of_line(file, self.numbering, *line)?;
        let run = self.debugger.run();
        let (timeline, cell) = (self.debugger.timeline(), self.debugger.moment().cell);
        let rows = run.rows().iter().enumerate().filter(|(_, row)| row.layer == layer);
        self.targets = rows.filter_map(|(row, _)| timeline.at_row(row, cell)).take(MOST_TARGETS).collect();
        let targets = self.targets.iter().enumerate().map(|(id, moment)| {
            let label = match timeline.place(*moment) {
                Place::Layer(row) if !row.pass.is_empty() => format!("layer {layer}, pass {:?}, cell {cell}", row.pass),
                _ => format!("layer {layer}, cell {cell}"),
            };
            json!({ "id": id, "label": label, "line": line })
        });
        Ok(json!({ "targets": targets.collect::<Vec<_>>() }))
    }

    /// Checks that a target exists.
    pub fn check_target(&self, Target { target_id }: &Target) -> Answer {
        let known = self.targets.get(*target_id).map(|_| Value::Null);
        known.ok_or_else(|| format!("there is no target {target_id}: ask for the targets again").into())
    }

    /// Checks that a frame exists.
    pub fn check_frame(&self, of: &OfFrame) -> Answer {
        self.index(of.frame_id, "frame").map(|_| Value::Null)
    }

    /// Does what a request asks for, and returns the stop after it. `None` if it does not move, or ends the session.
    pub fn follow(&mut self, command: &str, arguments: &Value, progress: &Progress) -> Option<Stop> {
        let granularity = || serde_json::from_value::<Granularity>(arguments.clone()).unwrap_or_default().granularity;
        let by_cell = || granularity().as_deref() == Some("instruction");
        if command == "evaluate" && !mem::take(&mut self.moved_by_console) {
            return None;
        }
        self.fault = None;
        let stop = match command {
            "configurationDone" | "restart" if self.arguments.no_debug => self.run_to_the_end(progress),
            "configurationDone" | "restart" if self.arguments.stop_on_entry => Stop::new("entry"),
            "configurationDone" | "restart" => self.run_from_start(progress),
            "evaluate" => Stop::new("goto"),
            "continue" if self.ended => return None,
            "reverseContinue" => self.resume(Direction::Backward, progress),
            "next" if by_cell() => self.step(Step::In, progress),
            "stepBack" if by_cell() => self.step(Step::BackIn, progress),
            "next" => self.step(Step::Next, progress),
            "stepIn" => self.step(Step::In, progress),
            "stepOut" => self.step(Step::Out, progress),
            "stepBack" => self.step(Step::Back, progress),
            "goto" => self.go_to_target(arguments),
            "restartFrame" => self.restart_frame(arguments),
            _ => self.resume(Direction::Forward, progress),
        };
        self.ended = self.debugger.place() == Place::End;
        self.moved();
        Some(stop)
    }

    fn step(&mut self, step: Step, progress: &Progress) -> Stop {
        match self.debugger.step(step, progress) {
            Moved::Yes => Stop::new("step"),
            Moved::Start => Stop::described("step", "The start of the run"),
            Moved::End => Stop::described("step", "The end of the run"),
            Moved::Paused => Stop::new("pause"),
        }
    }

    fn run_to_the_end(&mut self, progress: &Progress) -> Stop {
        let Resumed { paused, .. } = self.debugger.resume(Direction::Forward, &[], progress);
        if paused { Stop::new("pause") } else { self.at_the_end() }
    }

    fn run_from_start(&mut self, progress: &Progress) -> Stop {
        let resumed = self.debugger.run_from_start(&self.breakpoints.all(), progress);
        self.stop_after(resumed, Direction::Forward)
    }

    fn resume(&mut self, direction: Direction, progress: &Progress) -> Stop {
        let resumed = self.debugger.resume(direction, &self.breakpoints.all(), progress);
        self.stop_after(resumed, direction)
    }

    fn stop_after(&mut self, Resumed { hit, logs, paused }: Resumed, direction: Direction) -> Stop {
        let stop = match hit {
            _ if paused => Stop::new("pause"),
            Some(Hit { ids, .. }) => self.at_breakpoints(ids),
            None if direction == Direction::Forward => self.at_the_end(),
            None => Stop::described("step", "The start of the run"),
        };
        Stop { output: logs, ..stop }
    }

    fn at_breakpoints(&mut self, ids: Vec<usize>) -> Stop {
        let (reason, fault) = self.breakpoints.reason(&ids);
        self.fault = fault;
        let description = fault.and_then(|fault| FAULTS.get(fault)).map(|fault| fault.description.to_owned());
        Stop { breakpoints: ids, description, ..Stop::new(reason) }
    }

    fn at_the_end(&self) -> Stop {
        match self.debugger.run().outcome() {
            Ok(continuation) => Stop::described("step", format!("The end of the run: {}", continuation.shown())),
            Err(failure) => Stop::described("step", format!("The run failed: {}", failure.message)),
        }
    }

    fn go_to_target(&mut self, arguments: &Value) -> Stop {
        let target = serde_json::from_value::<Target>(arguments.clone()).ok();
        if let Some(moment) = target.and_then(|target| self.targets.get(target.target_id)) {
            self.debugger.go_to(*moment);
        }
        Stop::new("goto")
    }

    /// Goes to the start of what a frame stands for.
    fn restart_frame(&mut self, arguments: &Value) -> Stop {
        let frame = serde_json::from_value::<OfFrame>(arguments.clone()).ok();
        let index = frame.and_then(|frame| self.index(frame.frame_id, "frame").ok());
        let frame = index.and_then(|index| stack(&self.debugger).get(index).map(|frame| frame.kind));
        if let Some(frame) = frame {
            self.debugger.go_to(start_of_frame(&self.debugger, frame));
        }
        Stop::new("restart")
    }
}

/// The maximum number of targets that a client shows.
const MOST_TARGETS: usize = 100;

/// A variable as the client shows it.
fn shown(variable: &Variable) -> Value {
    let Variable { name, value, changed, .. } = variable;
    let mut shown = json!({ "name": name, "value": value, "variablesReference": 0 });
    if let (Some(object), true) = (shown.as_object_mut(), *changed) {
        object.insert("presentationHint".to_owned(), json!({ "attributes": ["hasSideEffects"] }));
    }
    shown
}
