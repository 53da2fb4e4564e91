//! A launched program, and the requests about it.

use std::{collections::BTreeSet, sync::Arc};

use psl_debug::{
    Debugger, Direction, Exception, Moment, StepPlace, Variable,
    console::{Command, Console},
    evaluate, stack, start_of_frame,
};
use psl_program::Progress;
use psl_syntax::{Span, program::ProductionId};
use serde_json::Value;

use crate::{
    breakpoints::{Breakpoints, Found, OnData, OnFault, OnLabel, data_id},
    launch::{Arguments, LaunchError, test_line},
    lines::Lines,
    numbering::Numbering,
    path_format::PathFormat,
    refusal::Refusal,
    reply::{Reply, Then},
    requests::{
        Evaluated, LineRange, Named, NewExpression, NewValue, OfFrame, OfStack, OfVariables, Target, Typed, Wanted,
        WantedFaults, WantedLines,
    },
    resumption::Resumption,
    source::{GivenSource, NamedText, Source},
    to_proto::{self, Ending, News, Stop, shown_scopes},
    transport::protocol::{RUN, SECOND},
};

type Answer = Result<Value, Refusal>;

/// The number of frames or variables of a stop is below this, so that a number names its stop, too.
const OF_A_STOP: i64 = 1_000;
/// The frames and variables of the second machine are numbered from here on.
const OF_SECOND: usize = 500;
/// The watched registers are numbered from here on, after the frames and scopes.
const OF_WATCHED: usize = 100;
/// The maximum number of watched registers, whose numbers end where those of the second machine start.
const MOST_WATCHED: usize = OF_SECOND - OF_WATCHED;
/// The number of stops after which numbers are used again.
const STOPS: i64 = 2_000_000;

/// A launched program.
pub struct DebugSession {
    arguments: Arguments,
    numbering: Numbering,
    path_format: PathFormat,
    source: Source,
    debugger: Debugger,
    /// The directive of the debugged test.
    test_line: Option<Span>,
    breakpoints: Breakpoints,
    /// The text of the program in an editor, which reports it.
    editor_text: Option<String>,
    /// The number of the current stop.
    stop: i64,
    /// The moments that `gotoTargets` offered.
    targets: Vec<Moment>,
    /// The fault at the current moment.
    exception: Option<Exception>,
    /// Whether the run has stopped at its end.
    ended: bool,
    console: Console,
}

/// The state of a run that its views show: the number of changed registers, the ablated layers, and whether there is a
/// second machine.
struct RunState {
    changes: usize,
    ablated: BTreeSet<ProductionId>,
    second: bool,
}

impl RunState {
    fn of(debugger: &Debugger) -> Self {
        let (changes, ablated) = (debugger.changes(), debugger.ablated().clone());
        Self { changes, ablated, second: debugger.second().is_some() }
    }
}

impl DebugSession {
    /// Reads a program and records its run. A restart keeps the breakpoints of the earlier session.
    ///
    /// # Errors
    ///
    /// Fails if the program does not compile, or the prompt is missing or cannot be used.
    pub fn new(
        arguments: Arguments,
        numbering: Numbering,
        path_format: PathFormat,
        earlier: Option<&Self>,
        progress: &Progress,
    ) -> Result<Self, LaunchError> {
        let (file, source) = arguments.file(path_format)?;
        let launch = arguments.launch(&file)?;
        let test_line = test_line(&file, &launch);
        let debugger = Debugger::new(Arc::new(file), &launch, progress).map_err(LaunchError::Run)?;
        let stop = earlier.map_or(0, |earlier| earlier.stop);
        let everywhere = arguments.stop_everywhere;
        let breakpoints = match earlier {
            Some(earlier) => earlier.breakpoints.in_version(debugger.file(), numbering, everywhere),
            None => Breakpoints::new(everywhere),
        };
        let mut session = Self {
            arguments,
            numbering,
            path_format,
            source,
            debugger,
            test_line,
            breakpoints,
            editor_text: None,
            stop,
            targets: Vec::new(),
            exception: None,
            ended: false,
            console: Console::new(None),
        };
        session.moved();
        Ok(session)
    }

    /// Makes the numbers of earlier stops invalid.
    fn moved(&mut self) {
        self.stop = (self.stop + 1) % STOPS;
        self.targets.clear();
    }

    fn id(&self, index: usize) -> i64 {
        self.stop * OF_A_STOP + 1 + i64::try_from(index).unwrap_or(OF_A_STOP)
    }

    /// The machine's run and the index that a number of the current stop stands for.
    fn index(&self, id: i64, what: &'static str) -> Result<(&Debugger, usize), Refusal> {
        let index = id.checked_sub(self.id(0)).filter(|index| (0..OF_A_STOP).contains(index));
        let index = index.and_then(|index| usize::try_from(index).ok());
        let stale = || Refusal::EarlierStop { what, id };
        let index = index.ok_or_else(stale)?;
        match index.checked_sub(OF_SECOND) {
            None => Ok((&self.debugger, index)),
            Some(index) => Ok((self.debugger.second().ok_or_else(stale)?, index)),
        }
    }

    /// The first number of a machine's run: each machine has a range of its own.
    fn first(&self, debugger: &Debugger) -> usize {
        if debugger.machine() == self.debugger.machine() { 0 } else { OF_SECOND }
    }

    /// The machines that run the program, each as a thread.
    pub fn threads(&self) -> Value {
        to_proto::threads(Some(&self.debugger))
    }

    /// The machine's run of a thread.
    fn thread(&self, thread: i64) -> Result<&Debugger, Refusal> {
        match (thread, self.debugger.second()) {
            (RUN, _) => Ok(&self.debugger),
            (SECOND, Some(second)) => Ok(second),
            (thread, second) => Err(Refusal::UnknownThread { thread, has_second: second.is_some() }),
        }
    }

    /// The frames of a thread's stack, innermost first.
    pub fn stack_trace(&self, &OfStack { thread_id, start_frame, levels }: &OfStack) -> Answer {
        let debugger = self.thread(thread_id)?;
        let frames = stack(debugger);
        let levels = if levels == 0 { frames.len() } else { levels };
        let first = self.first(debugger);
        let shown = frames.iter().enumerate().skip(start_frame).take(levels).map(|(index, frame)| {
            // The whole run, and each symbol of it, is about the test.
            let span = frame.span.or(self.test_line);
            let start = span.map(|span| self.numbering.line_and_column(self.debugger.file(), span.start));
            to_proto::stack_frame(self.id(first + index), frame, &self.source, start, index == 0)
        });
        Ok(to_proto::stack_trace(shown, frames.len()))
    }

    /// The text of the program as it was launched.
    pub fn content(&self) -> Value {
        to_proto::content(&self.debugger)
    }

    /// The scopes of a frame. All frames of a thread have the same.
    pub fn scopes(&self, of: &OfFrame) -> Answer {
        let (debugger, _) = self.index(of.frame_id, "frame")?;
        let (scopes, first) = (shown_scopes(debugger, MOST_WATCHED), self.first(debugger));
        let numbered = scopes.iter().enumerate().map(|(index, scope)| (self.id(first + index), scope));
        Ok(to_proto::scopes(numbered))
    }

    /// The variables of a scope, or the cells of a watched register.
    pub fn variables(&self, of: &OfVariables) -> Answer {
        let variables = self.variables_of(of.variables_reference)?;
        let (debugger, _) = self.index(of.variables_reference, "scope")?;
        let reference = |index: usize| self.id(self.first(debugger) + OF_WATCHED + index);
        let all = variables.iter().enumerate();
        let part = all.skip(of.start).take(if of.count == 0 { usize::MAX } else { of.count });
        let numbered = part.map(|(index, variable)| {
            let reference = if variable.cells.is_empty() { 0 } else { reference(index) };
            (reference, variable)
        });
        Ok(to_proto::variables(debugger.file(), numbered))
    }

    fn variables_of(&self, reference: i64) -> Result<Vec<Variable>, Refusal> {
        let (debugger, index) = self.index(reference, "scope")?;
        let mut scopes = shown_scopes(debugger, MOST_WATCHED);
        let found = match index.checked_sub(OF_WATCHED) {
            None if index < scopes.len() => Some(scopes.swap_remove(index).variables),
            None => None,
            Some(register) => {
                let watched = scopes.into_iter().flat_map(|scope| scope.variables);
                watched.filter(|variable| !variable.cells.is_empty()).nth(register).map(|variable| variable.cells)
            }
        };
        found.ok_or(Refusal::UnknownScope(reference))
    }

    /// Changes a register of a cell, and runs on from there.
    pub fn set_variable(&mut self, of: &NewValue, progress: &Progress) -> Result<Reply, Refusal> {
        let before = RunState::of(&self.debugger);
        let variables = self.variables_of(of.variables_reference)?;
        let register =
            variables.iter().find(|variable| variable.name == of.name).and_then(|variable| variable.register);
        let (register, cell) = register.ok_or(Refusal::NotChangeable)?;
        self.debugger.change(register, cell, &of.value, progress)?;
        let value = self.debugger.value_of(register, cell);
        Ok(Reply { news: self.news(&before), ..Reply::of(to_proto::changed_value(&value)) })
    }

    /// Changes a register such as `field[5]`, and runs on from there.
    pub fn set_expression(&mut self, of: &NewExpression, progress: &Progress) -> Result<Reply, Refusal> {
        let before = RunState::of(&self.debugger);
        let value = self.debugger.change_named(&of.expression, &of.value, progress)?;
        Ok(Reply { news: self.news(&before), ..Reply::of(to_proto::changed_value(&value)) })
    }

    /// The changes of the run since `before`.
    fn news(&mut self, before: &RunState) -> Vec<News> {
        let after = RunState::of(&self.debugger);
        let thread = match (before.second, after.second) {
            (true, false) => Some("exited"),
            (false, true) => Some("started"),
            _ => None,
        };
        let mut news: Vec<News> = thread.map(News::SecondMachine).into_iter().collect();
        if (before.changes, &before.ablated) != (after.changes, &after.ablated) {
            self.targets.clear();
            news.push(News::Invalidated);
        }
        news
    }

    /// Sets the text of the program in an editor, or `None` if the file has it.
    pub fn set_editor_text(&mut self, text: Option<String>) {
        self.source.set_editor_text(text.as_deref());
        self.editor_text = text;
    }

    /// Reads the program's file again. Returns the message if it has just changed.
    pub fn change_of_file(&mut self) -> Option<String> {
        let name = self.source.name();
        self.source.refresh().then(|| {
            format!("{name} has changed since the launch: the frames show the text that runs. Restart the session to run the new text.\n")
        })
    }

    /// The arguments of a restart by a client that gives none: with the newer text, if there is one.
    pub fn arguments_again(&mut self) -> Arguments {
        self.source.refresh();
        if self.source.is_edited() { self.arguments_now() } else { self.arguments.clone() }
    }

    /// The arguments of the launch with the text of the editor, or that of the file.
    fn arguments_now(&self) -> Arguments {
        self.arguments.with_text(self.editor_text.clone())
    }

    /// The lines that a request counts.
    fn lines_of(&self, given: Option<&GivenSource>) -> Result<Lines, Refusal> {
        match given.map_or(Some(NamedText::Running), |given| self.source.named(given)) {
            None => Err(Refusal::OtherFile(self.source.name())),
            Some(NamedText::Running) if self.source.is_edited() => Ok(Lines::Old),
            Some(NamedText::Running) => Ok(Lines::Current),
            Some(NamedText::Edited) => {
                let (file, _) = self.arguments_now().file(self.path_format)?;
                Ok(Lines::Edited(Box::new(file)))
            }
        }
    }

    /// Sets the breakpoints on lines.
    pub fn set_breakpoints(&mut self, WantedLines { source, breakpoints }: &WantedLines) -> Value {
        let lines = match self.lines_of(source.as_ref()) {
            Ok(lines) => lines,
            Err(refusal) => return to_proto::refused_breakpoints(breakpoints.len(), &refusal),
        };
        let found = self.breakpoints.set_lines(self.debugger.file(), &lines, self.numbering, breakpoints);
        to_proto::breakpoints(&self.debugger, &lines, self.numbering, &found)
    }

    /// Sets the breakpoints on labels of productions.
    pub fn set_function_breakpoints(&mut self, wanted: &Wanted<OnLabel>) -> Value {
        let found = self.breakpoints.set_functions(self.debugger.file(), &wanted.breakpoints);
        self.shown(&found)
    }

    /// Sets the breakpoints on registers of cells.
    pub fn set_data_breakpoints(&mut self, wanted: &Wanted<OnData>) -> Value {
        let found = self.breakpoints.set_data(self.debugger.file(), &wanted.breakpoints);
        self.shown(&found)
    }

    /// Sets the faults to stop at.
    pub fn set_exception_breakpoints(&mut self, wanted: WantedFaults) -> Value {
        let plain = wanted.filters.into_iter().map(OnFault::new);
        let wanted: Vec<OnFault> = plain.chain(wanted.filter_options).collect();
        let found = self.breakpoints.set_exceptions(self.debugger.file(), &wanted);
        self.shown(&found)
    }

    /// Breakpoints of the text that runs, as the client shows them.
    fn shown(&self, found: &[Found]) -> Value {
        to_proto::breakpoints(&self.debugger, &Lines::Current, self.numbering, found)
    }

    /// Whether a variable can have a breakpoint: a register of a cell can.
    pub fn data_breakpoint_info(&self, Named { name, variables_reference }: &Named) -> Answer {
        let variables =
            variables_reference.map(|reference| self.variables_of(reference)).transpose()?.unwrap_or_default();
        let variable = variables.iter().find(|variable| variable.name == *name);
        let id = variable.and_then(|variable| match variable.register {
            Some((register, cell)) => data_id(self.debugger.file(), register, cell),
            // A watched register has its cells, and stands for all of them.
            None => variable.cells.first().and(Some(variable.name.clone())),
        });
        Ok(to_proto::data_breakpoint_info(id.as_deref()))
    }

    /// The lines that can have a breakpoint: those on which a production starts.
    pub fn breakpoint_locations(&self, LineRange { source, line, end_line }: &LineRange) -> Value {
        let (lines, file) = (self.lines_of(source.as_ref()).ok(), self.debugger.file());
        let layers = ProductionId::first(file.program().productions().len());
        let heads = layers.filter_map(|layer| lines.as_ref()?.head(file, layer));
        let wanted = *line..=end_line.unwrap_or(*line);
        let on_wanted =
            heads.filter(|(file, head)| wanted.contains(&self.numbering.line_and_column(file, head.start).0));
        to_proto::breakpoint_locations(self.numbering, on_wanted)
    }

    /// Evaluates an expression, or executes a command of the console.
    pub fn evaluate(&mut self, of: &Evaluated, progress: &Progress) -> Result<Reply, Refusal> {
        let result = |text: &str| Reply::of(to_proto::result(text));
        if of.context == "repl" && Command::names(&of.expression) {
            let (before, moment) = (RunState::of(&self.debugger), self.debugger.moment());
            let command = Command::parse(&of.expression)?;
            let answer = self.console.execute(&mut self.debugger, &command, progress)?;
            let lines: Vec<String> = answer.lines.into_iter().map(|line| line.text).collect();
            let has_moved = self.debugger.moment() != moment;
            let then = if has_moved { Then::Resume(Resumption::OfConsole) } else { Then::Nothing };
            return Ok(Reply { news: self.news(&before), then, ..result(&lines.join("\n")) });
        }
        let debugger = match of.frame_id {
            Some(frame) => self.index(frame, "frame")?.0,
            None => &self.debugger,
        };
        let value = evaluate(debugger.file(), debugger.run(), debugger.moment(), &of.expression)?;
        Ok(result(&value))
    }

    /// The cells at the moment as a table.
    pub fn table(&self) -> Value {
        to_proto::table(&self.debugger)
    }

    /// The completions in the console.
    pub fn completions(&self, typed: &Typed) -> Value {
        to_proto::completions(self.debugger.file(), self.numbering, typed)
    }

    /// The fault at the current moment.
    pub fn exception_info(&self) -> Answer {
        Ok(to_proto::exception_info(&self.debugger, self.exception.ok_or(Refusal::NoException)?))
    }

    /// The moments at which the production of a line runs next: for the cell in focus, or else the next one.
    pub fn goto_targets(&mut self, LineRange { source, line, .. }: &LineRange) -> Answer {
        let layer = self.lines_of(source.as_ref())?.layer(self.debugger.file(), self.numbering, *line)?;
        let run = self.debugger.run();
        let (timeline, cell) = (self.debugger.timeline(), self.debugger.moment().cell);
        let rows = run.rows_of_layer(layer);
        self.targets = rows.filter_map(|row| timeline.at_row(row, cell)).take(MOST_TARGETS).collect();
        Ok(to_proto::goto_targets(&self.debugger, *line, layer, &self.targets))
    }

    /// The way to a target of [`Self::goto_targets`].
    pub fn go_to(&self, &Target { target_id }: &Target) -> Result<Resumption, Refusal> {
        self.targets.get(target_id).copied().map(Resumption::GoTo).ok_or(Refusal::UnknownTarget(target_id))
    }

    /// The way to the start of a frame. A scope has no start, so the debugger stays at its moment.
    pub fn restart_frame(&self, of: &OfFrame) -> Result<Resumption, Refusal> {
        let (debugger, index) = self.index(of.frame_id, "frame")?;
        let start = stack(debugger).get(index).map(|frame| start_of_frame(debugger, frame.kind));
        Ok(Resumption::RestartFrame(start.unwrap_or(self.debugger.moment())))
    }

    /// The first resumption after the launch.
    pub fn first_resumption(&self) -> Resumption {
        match &self.arguments {
            Arguments { no_debug: true, .. } => Resumption::ToEnd,
            Arguments { stop_on_entry: true, .. } => Resumption::Entry,
            _ => Resumption::FromStart,
        }
    }

    /// Resumes to the next stop, or ends the session if the run has already stopped at its end.
    pub fn next_stop(&self) -> Then {
        if self.ended { Then::Terminate } else { Then::Resume(Resumption::ToStop(Direction::Forward)) }
    }

    /// The reply to a request that moves a thread. The thread of the other machine moves with it.
    pub fn continued(&self, thread: i64, then: Then) -> Result<Reply, Refusal> {
        self.thread(thread)?;
        Ok(Reply { then, ..Reply::of(to_proto::continued()) })
    }

    /// The result of a run that has ended without debugging.
    pub fn ending(&self) -> Option<Ending> {
        (self.arguments.no_debug && self.ended).then(|| Ending::of(&self.debugger))
    }

    /// Resumes the session, and returns its stop.
    pub fn resume(&mut self, resumption: Resumption, progress: &Progress) -> Stop {
        let stop = resumption.perform(&mut self.debugger, &self.breakpoints, progress);
        self.exception = stop.exception;
        self.ended = self.debugger.place() == StepPlace::End;
        self.moved();
        stop
    }
}

/// The maximum number of targets that a client shows.
const MOST_TARGETS: usize = 100;
