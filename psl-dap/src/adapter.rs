//! The requests of a client, each with its response and what follows it.

use std::sync::Arc;

use psl_debug::{Direction, Movement};
use psl_program::Progress;
use serde_json::Value;

use crate::{
    launch::Arguments,
    refusal::Refusal,
    reply::{Reply, Then},
    requests::{Abilities, EditorText, Request, Restarted},
    resumption::Resumption,
    session::DebugSession,
    to_proto,
    transport::protocol::{Client, Message},
};

/// The adapter of one client.
pub struct Adapter {
    client: Arc<Client>,
    progress: Arc<Progress>,
    abilities: Abilities,
    session: Option<DebugSession>,
    ended: bool,
}

impl Adapter {
    /// Creates the adapter of a client, which cancels work through `progress`.
    pub fn new(client: Arc<Client>, progress: Arc<Progress>) -> Self {
        Self { client, progress, abilities: Abilities::default(), session: None, ended: false }
    }

    /// Whether the client has disconnected.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Answers a request, then does what follows.
    pub fn handle(&mut self, message: &Message) {
        // A session that restarts or ends needs no advice to restart.
        if !matches!(message.command.as_str(), "launch" | "restart" | "terminate" | "disconnect") {
            self.tell_change();
        }
        match self.execute(message) {
            Err(refusal) => self.client.answer(message, Err(refusal)),
            Ok(Reply { body, news, then }) => {
                self.client.answer(message, Ok(body));
                for news in news {
                    news.tell(&self.client, &self.abilities);
                }
                self.follow(then);
            }
        }
    }

    fn execute(&mut self, Message { command, arguments, .. }: &Message) -> Result<Reply, Refusal> {
        let progress = Arc::clone(&self.progress);
        let reply = match Request::read(command, arguments).map_err(Refusal::Arguments)? {
            Request::Initialize(abilities) => {
                self.abilities = abilities;
                Reply::of(to_proto::capabilities())
            }
            Request::Launch(arguments) => {
                self.launch(*arguments)?;
                Reply::then(Then::Initialized)
            }
            Request::Attach(_) => return Err(Refusal::Attach),
            Request::Restart(restarted) => {
                let before = self.session()?.arguments_again();
                let Restarted { arguments } = restarted.unwrap_or_default();
                self.launch(arguments.map_or(before, |arguments| *arguments))?;
                Reply::then(Then::Resume(self.session()?.first_resumption()))
            }
            Request::Terminate(_) => Reply::then(Then::Terminate),
            Request::Disconnect(_) => Reply::then(Then::Disconnect),
            Request::Threads(_) => {
                Reply::of(self.session.as_ref().map_or_else(|| to_proto::threads(None), DebugSession::threads))
            }
            Request::SetBreakpoints(wanted) => Reply::of(self.session()?.set_breakpoints(&wanted)),
            Request::SetFunctionBreakpoints(wanted) => Reply::of(self.session()?.set_function_breakpoints(&wanted)),
            Request::SetExceptionBreakpoints(wanted) => Reply::of(self.session()?.set_exception_breakpoints(wanted)),
            Request::DataBreakpointInfo(of) => Reply::of(self.session()?.data_breakpoint_info(&of)?),
            Request::SetDataBreakpoints(wanted) => Reply::of(self.session()?.set_data_breakpoints(&wanted)),
            Request::BreakpointLocations(lines) => Reply::of(self.session()?.breakpoint_locations(&lines)),
            Request::ConfigurationDone(_) => Reply::then(Then::Resume(self.session()?.first_resumption())),
            Request::Continue(of) => {
                let session = self.session()?;
                session.continued(of.thread_id, session.next_stop())?
            }
            Request::ReverseContinue(of) => self.resumed(of.thread_id, Resumption::ToStop(Direction::Backward))?,
            Request::Next(step) => {
                self.resumed(step.thread_id, Resumption::Move(step.sized(Movement::Next, Movement::In)))?
            }
            Request::StepBack(step) => {
                self.resumed(step.thread_id, Resumption::Move(step.sized(Movement::Back, Movement::BackIn)))?
            }
            Request::StepIn(of) => self.resumed(of.thread_id, Resumption::Move(Movement::In))?,
            Request::StepOut(of) => self.resumed(of.thread_id, Resumption::Move(Movement::Out))?,
            // The session has stopped by now: the request interrupted it.
            Request::Pause(of) => self.session()?.continued(of.thread_id, Then::Nothing)?,
            Request::RestartFrame(of) => Reply::then(Then::Resume(self.session()?.restart_frame(&of)?)),
            Request::GotoTargets(lines) => Reply::of(self.session()?.goto_targets(&lines)?),
            Request::Goto(target) => Reply::then(Then::Resume(self.session()?.go_to(&target)?)),
            Request::StackTrace(of) => Reply::of(self.session()?.stack_trace(&of)?),
            Request::Scopes(of) => Reply::of(self.session()?.scopes(&of)?),
            Request::Variables(of) => Reply::of(self.session()?.variables(&of)?),
            Request::SetVariable(of) => self.session()?.set_variable(&of, &progress)?,
            Request::SetExpression(of) => self.session()?.set_expression(&of, &progress)?,
            Request::Source(_) => Reply::of(self.session()?.content()),
            Request::ExceptionInfo(_) => Reply::of(self.session()?.exception_info()?),
            Request::Evaluate(of) => self.session()?.evaluate(&of, &progress)?,
            Request::Completions(typed) => Reply::of(self.session()?.completions(&typed)),
            Request::Table(_) => Reply::of(self.session()?.table()),
            Request::Text(EditorText { text }) => {
                self.session()?.set_editor_text(text);
                self.tell_change();
                Reply::of(Value::Null)
            }
            Request::Unknown => return Err(Refusal::UnknownRequest(command.clone())),
        };
        Ok(reply)
    }

    fn launch(&mut self, arguments: Arguments) -> Result<(), Refusal> {
        let Abilities { numbering, path_format, .. } = self.abilities;
        self.session =
            Some(DebugSession::new(arguments, numbering, path_format, self.session.as_ref(), &self.progress)?);
        Ok(())
    }

    fn resumed(&mut self, thread: i64, resumption: Resumption) -> Result<Reply, Refusal> {
        self.session()?.continued(thread, Then::Resume(resumption))
    }

    /// Reports that the program's file has just changed.
    fn tell_change(&mut self) {
        if let Some(change) = self.session.as_mut().and_then(DebugSession::change_of_file) {
            self.client.print("important", &change);
        }
    }

    fn follow(&mut self, then: Then) {
        match then {
            Then::Nothing => {}
            Then::Initialized => self.client.event("initialized", Value::Null),
            Then::Resume(resumption) => {
                let Some(session) = &mut self.session else { return };
                let stop = session.resume(resumption, &self.progress);
                match session.ending() {
                    Some(ending) => {
                        self.session = None;
                        ending.tell(&self.client);
                    }
                    None => stop.tell(&self.client),
                }
            }
            Then::Terminate => {
                self.session = None;
                self.client.event("terminated", Value::Null);
            }
            Then::Disconnect => self.ended = true,
        }
    }

    fn session(&mut self) -> Result<&mut DebugSession, Refusal> {
        self.session.as_mut().ok_or(Refusal::NotLaunched)
    }
}
