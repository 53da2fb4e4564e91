//! One function per request.

use std::sync::Arc;

use psl_program::Progress;
use psl_record::debugger::{Exception, Fault};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, from_value, json};

use crate::{
    launch::Arguments,
    numbering::Numbering,
    protocol::{Client, Refusal, Request},
    session::{DebugSession, INVALIDATED},
};

type Answer = Result<Value, Refusal>;

/// The requests that move.
const MOVING: [&str; 11] = [
    "configurationDone",
    "evaluate",
    "restart",
    "continue",
    "reverseContinue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "goto",
    "restartFrame",
];

/// The adapter of one client.
pub struct Adapter {
    client: Arc<Client>,
    progress: Arc<Progress>,
    numbering: Numbering,
    abilities: Abilities,
    session: Option<DebugSession>,
    ended: bool,
}

/// The abilities of a client.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Abilities {
    supports_invalidated_event: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Restarted {
    arguments: Option<Arguments>,
}

impl Adapter {
    /// Creates the adapter of a client, which interrupts movements through `progress`.
    pub fn new(client: Arc<Client>, progress: Arc<Progress>) -> Self {
        Self {
            client,
            progress,
            numbering: Numbering::default(),
            abilities: Abilities::default(),
            session: None,
            ended: false,
        }
    }

    /// Whether the client has disconnected.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Answers a request, then does what it asks for.
    pub fn handle(&mut self, request: &Request) {
        let answer = self.answer(request);
        let succeeded = answer.is_ok();
        self.client.answer(request, answer);
        if succeeded {
            self.tell_news();
            self.follow(request);
        }
    }

    fn answer(&mut self, Request { command, arguments, .. }: &Request) -> Answer {
        let arguments = arguments.clone();
        match command.as_str() {
            "initialize" => {
                self.numbering = parse(arguments.clone())?;
                self.abilities = parse(arguments)?;
                Ok(capabilities())
            }
            "launch" => self.launch(parse(arguments)?),
            "restart" => {
                let Restarted { arguments } = parse::<Option<_>>(arguments)?.unwrap_or_default();
                let before = self.session()?.arguments().clone();
                self.launch(arguments.unwrap_or(before))
            }
            "attach" => Err("psl runs the program itself: use a configuration with `\"request\": \"launch\"`".into()),
            "disconnect" | "terminate" => Ok(Value::Null),
            "threads" => Ok(self.session.as_ref().map_or_else(|| json!({ "threads": [] }), DebugSession::threads)),
            "setBreakpoints" => Ok(self.session()?.set_breakpoints(&parse(arguments)?)),
            "setFunctionBreakpoints" => Ok(self.session()?.set_function_breakpoints(&parse(arguments)?)),
            "setExceptionBreakpoints" => Ok(self.session()?.set_exception_breakpoints(parse(arguments)?)),
            "dataBreakpointInfo" => self.session()?.data_breakpoint_info(&parse(arguments)?),
            "setDataBreakpoints" => Ok(self.session()?.set_data_breakpoints(&parse(arguments)?)),
            "breakpointLocations" => Ok(self.session()?.breakpoint_locations(&parse(arguments)?)),
            "configurationDone" => self.session().map(|_| Value::Null),
            "continue" | "reverseContinue" | "next" | "stepIn" | "stepOut" | "stepBack" | "pause" => {
                self.session()?.thread(&parse(arguments)?)?;
                Ok(json!({ "allThreadsContinued": true }))
            }
            "restartFrame" => self.session()?.check_frame(&parse(arguments)?),
            "stackTrace" => self.session()?.stack_trace(&parse(arguments.clone())?, &parse(arguments)?),
            "scopes" => self.session()?.scopes(&parse(arguments)?),
            "variables" => self.session()?.variables(&parse(arguments)?),
            "setVariable" => {
                let progress = Arc::clone(&self.progress);
                self.session()?.set_variable(&parse(arguments)?, &progress)
            }
            "setExpression" => {
                let progress = Arc::clone(&self.progress);
                self.session()?.set_expression(&parse(arguments)?, &progress)
            }
            "source" => Ok(self.session()?.source()),
            "gotoTargets" => self.session()?.goto_targets(&parse(arguments)?),
            "goto" => self.session()?.check_target(&parse(arguments)?),
            "exceptionInfo" => self.session()?.exception_info(),
            "psl/table" => Ok(self.session()?.table()),
            "evaluate" => {
                let progress = Arc::clone(&self.progress);
                self.session()?.evaluate(&parse(arguments)?, &progress)
            }
            "completions" => Ok(self.session()?.completions(&parse(arguments)?)),
            _ => Err(format!("psl dap does not know the request `{command}`").into()),
        }
    }

    /// Does what a request asks for, after its answer.
    fn follow(&mut self, request: &Request) {
        let (client, progress) = (Arc::clone(&self.client), Arc::clone(&self.progress));
        match request.command.as_str() {
            "launch" => return client.event("initialized", Value::Null),
            "terminate" => {
                self.session = None;
                return client.event("terminated", Value::Null);
            }
            "disconnect" => return self.ended = true,
            command if !MOVING.contains(&command) => return,
            _ => {}
        }
        let Some(session) = &mut self.session else { return };
        match session.follow(&request.command, &request.arguments, &progress) {
            Some(stop) => stop.tell(&client),
            None if request.command == "evaluate" => {}
            None => {
                self.session = None;
                client.event("terminated", Value::Null);
            }
        }
    }

    fn launch(&mut self, arguments: Arguments) -> Answer {
        let session = DebugSession::new(arguments, self.numbering, self.session.as_ref(), &self.progress);
        self.session = Some(session.map_err(|message| Refusal { message, show: true })?);
        Ok(Value::Null)
    }

    /// Tells the client what a request has changed.
    fn tell_news(&mut self) {
        let news = self.session.as_mut().map_or(Vec::new(), DebugSession::take_news);
        for (event, body) in news {
            if event != INVALIDATED || self.abilities.supports_invalidated_event {
                self.client.event(event, body);
            }
        }
    }

    fn session(&mut self) -> Result<&mut DebugSession, Refusal> {
        self.session.as_mut().ok_or_else(|| "no program is being debugged: send `launch` first".into())
    }
}

fn parse<T: DeserializeOwned>(arguments: Value) -> Result<T, Refusal> {
    from_value(arguments).map_err(|error| format!("wrong arguments: {error}").into())
}

/// The capabilities of the adapter.
fn capabilities() -> Value {
    let filters = Exception::ALL.map(|exception| {
        let Fault { name, label, description, default, .. } = exception.fault();
        json!({ "filter": name, "label": label, "description": description, "default": default,
                "supportsCondition": true })
    });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsExceptionFilterOptions": true,
        "supportsExceptionInfoRequest": true,
        "exceptionBreakpointFilters": filters,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsGotoTargetsRequest": true,
        "supportsRestartFrame": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsCompletionsRequest": true,
    })
}
