//! A session: one program with two runs.

use std::{
    collections::{BTreeSet, HashMap},
    num::NonZeroUsize,
    sync::Arc,
};

#[cfg(feature = "debugger")]
use psl_debug::console::Console;
use psl_debug::{Debugger, Launch};
use psl_program::{Config, File, Intervention, Progress, Prompt, Runner};
use psl_runtime::{
    Embedding, MachineKind,
    record::{RecordedRun, Time},
};
use psl_syntax::program::{ProductionId, RegisterId};
use serde::Serialize;

#[cfg(feature = "debugger")]
use crate::answers::debug::{complete, debugged, execute};
use crate::{
    answers::{
        attention::attention,
        difference::difference,
        history::history,
        latent_codes::latent_codes,
        origin::origin,
        parse::parse,
        patch::patches,
        program::program,
        residual::residual,
        run::{Run, run},
        schedule::schedule,
        tensors::{block, tensors},
        tile::tile,
        update::update,
        why::why,
    },
    layer_tensors::{LayerTensors, layer_tensors},
    no_answer::NoAnswer,
    request::{EmbeddingName, PagePrompt, Request, SetValue, WholeTile},
    residual_stream::ResidualStream,
    response::Response,
    scheduled_run::ScheduledRun,
    view::View,
};

/// A program with its runs.
#[derive(Default)]
pub struct PageSession {
    opened: Option<Arc<File>>,
    runs: [Option<LoadedRun>; 2],
}

/// A run at one of its moments, with the latest of what is computed for it.
struct LoadedRun {
    prompt: Prompt,
    debugger: Debugger,
    #[cfg(feature = "debugger")]
    console: Console,
    tensors: Option<(usize, LayerTensors)>,
    stream: Option<(EmbeddingName, ResidualStream)>,
    scheduled: Option<ScheduledRun>,
}

impl PageSession {
    /// Answers a request in JSON: with `{"ok": …}`, or `{"error": "message"}` if there is no answer.
    pub fn call(&mut self, request: &str) -> String {
        let request = serde_json::from_str(request).map_err(|error| NoAnswer::InvalidRequest(error.to_string()));
        request.and_then(|request| self.answer(request)).unwrap_or_else(|reason| error(&reason))
    }

    fn answer(&mut self, request: Request) -> Result<String, NoAnswer> {
        match request {
            Request::Open { text, stop, prompts } => self.open(text, stop, &prompts),
            Request::Run { slot, prompt, machine, ablated, set, tile } => {
                self.run(slot, prompt, &machine, ablated, set, tile.as_ref())
            }
            Request::Tile { slot, rows, cells, registers } => ok(tile(self.view(slot)?, rows, cells, &registers)),
            Request::Update { slot, row, cell } => {
                let view = self.view(slot)?;
                ok(update(view, view.row(row)?.0, view.cell(cell)?)?)
            }
            Request::Why { slot, row, cell, source } => {
                let view = self.view(slot)?;
                ok(why(view, view.row(row)?.0, view.cell(cell)?, view.cell(source)?)?)
            }
            Request::History { slot, register, cell } => {
                let view = self.view(slot)?;
                ok(history(view, RegisterId::new(register), view.cell(cell)?))
            }
            Request::Origin { slot, register, cell, time } => {
                let view = self.view(slot)?;
                ok(origin(view, RegisterId::new(register), view.cell(cell)?, Time::new(time)))
            }
            Request::Difference => ok(difference(self.view(0)?, self.view(1)?)),
            Request::Patch { register, align } => {
                let task = self.run_in(0)?.debugger.task();
                ok(patches(self.view(0)?, task, self.view(1)?, register, align.as_deref())?)
            }
            Request::Tensors { slot, layer } => ok(tensors(layer, self.tensors(slot, layer)?.1)),
            Request::Block { slot, layer, attribute, index } => {
                let (run, weights) = self.tensors(slot, layer)?;
                ok(block(weights, run.vocabulary(), attribute, index)?)
            }
            Request::Attention { slot, row } => {
                let view = self.view(slot)?;
                ok(attention(view, view.row(row)?.0))
            }
            Request::Residual { slot, time, cells, embedding } => {
                let cells = self.view(slot)?.cells_in(cells);
                let (run, stream) = self.stream(slot, embedding)?;
                ok(residual(stream, run, Time::new(time), cells))
            }
            Request::Parse { slot, time, cell } => ok(parse(self.view(slot)?, Time::new(time), cell)),
            Request::Schedule { limit } => ok(schedule(self.opened()?, limit)?),
            Request::Codes { slot, limit, layer, pass } => ok(latent_codes(self.scheduled(slot, limit)?, layer, pass)?),
            #[cfg(not(feature = "debugger"))]
            Request::Debug { .. } | Request::Complete { .. } => Err(NoAnswer::NoDebugger),
            #[cfg(feature = "debugger")]
            Request::Debug { slot, command, at, watch, tile } => {
                self.debug(slot, command.as_deref(), at, &watch, tile.as_ref())
            }
            #[cfg(feature = "debugger")]
            Request::Complete { slot, text } => ok(complete(&self.run_in(slot)?.debugger, &text)),
        }
    }

    fn open(
        &mut self,
        text: String,
        stop: Option<String>,
        prompts: &HashMap<String, String>,
    ) -> Result<String, NoAnswer> {
        let mut config = Config::default();
        config.stop = stop;
        let missing = || "the page does not contain it".to_owned();
        let read = |file: &str| prompts.get(file).cloned().ok_or_else(missing);
        let file = Arc::new(File::new(text, Arc::new(config)).with_prompts(read));
        let answer = ok(program(&file));
        *self = Self { opened: Some(file), runs: [None, None] };
        answer
    }

    fn run(
        &mut self,
        slot: usize,
        prompt: PagePrompt,
        machine: &str,
        ablated: BTreeSet<usize>,
        set: Vec<SetValue>,
        tile: Option<&WholeTile>,
    ) -> Result<String, NoAnswer> {
        let entry = self.runs.get_mut(slot).ok_or(NoAnswer::UnknownSlot(slot))?;
        let file = self.opened.as_ref().ok_or(NoAnswer::NotOpen)?;
        file.runner()?;
        let machine: MachineKind = machine.parse()?;
        let prompt = prompt.parse()?;
        let ablated = ablated.into_iter().filter_map(ProductionId::of_number).collect();
        let launch = Launch { prompt, case: None, machine, max_passes: None, verify: false, ablated };
        let mut debugger = Debugger::with_whole_record(Arc::clone(file), &launch, &Progress::default())?;
        let set: Vec<Intervention> = set.into_iter().map(Intervention::from).collect();
        if !set.is_empty() {
            debugger.intervene(&set, &Progress::default()).map_err(|error| NoAnswer::NotSet(error.to_string()))?;
        }
        *entry = Some(LoadedRun {
            prompt: launch.prompt,
            debugger,
            #[cfg(feature = "debugger")]
            console: Console::new(None),
            tensors: None,
            stream: None,
            scheduled: None,
        });
        ok(self.shown(slot, tile)?)
    }

    /// Describes the run in a slot.
    fn shown(&self, slot: usize, tile: Option<&WholeTile>) -> Result<Run<'_>, NoAnswer> {
        let (view, LoadedRun { prompt, debugger, .. }) = (self.view(slot)?, self.run_in(slot)?);
        let test = prompt.test(view.program())?.map(|(_, test)| test);
        let (note, whole) = (view.runner.prompt_note(prompt), debugger.what_if().is_none());
        Ok(run(view, self.opened()?, test, note, whole, tile))
    }

    #[cfg(feature = "debugger")]
    fn debug(
        &mut self,
        slot: usize,
        command: Option<&str>,
        at: Option<(Option<usize>, usize)>,
        watch: &[String],
        tile: Option<&WholeTile>,
    ) -> Result<String, NoAnswer> {
        let (_, kept) = self.kept(slot)?;
        let executed = execute(&mut kept.debugger, &mut kept.console, at, command);
        if executed.is_replaced {
            (kept.tensors, kept.stream, kept.scheduled) = (None, None, None);
        }
        let run = if executed.is_replaced { Some(self.shown(slot, tile)?) } else { None };
        let LoadedRun { debugger, console, .. } = self.run_in(slot)?;
        ok(debugged(executed, debugger, console, watch, run))
    }

    /// The run in a slot, with its program.
    fn view(&self, slot: usize) -> Result<View<'_>, NoAnswer> {
        let run = self.run_in(slot)?.debugger.run();
        let file = self.opened()?;
        Ok(View { runner: file.runner()?, text: file.source_text(), run })
    }

    fn run_in(&self, slot: usize) -> Result<&LoadedRun, NoAnswer> {
        self.runs.get(slot).and_then(Option::as_ref).ok_or(NoAnswer::NoRun(slot))
    }

    fn opened(&self) -> Result<&Arc<File>, NoAnswer> {
        self.opened.as_ref().ok_or(NoAnswer::NotOpen)
    }

    fn kept(&mut self, slot: usize) -> Result<(&Runner, &mut LoadedRun), NoAnswer> {
        let kept = self.runs.get_mut(slot).and_then(Option::as_mut).ok_or(NoAnswer::NoRun(slot))?;
        Ok((self.opened.as_ref().ok_or(NoAnswer::NotOpen)?.runner()?, kept))
    }

    fn tensors(&mut self, slot: usize, layer: usize) -> Result<(&RecordedRun, &LayerTensors), NoAnswer> {
        let (runner, LoadedRun { debugger, tensors, .. }) = self.kept(slot)?;
        let run = debugger.run();
        let (_, weights) = match tensors.take().filter(|(of, _)| *of == layer) {
            Some(same) => tensors.insert(same),
            None => tensors.insert((layer, layer_tensors(runner.executable(), run.vocabulary(), layer)?)),
        };
        Ok((run, weights))
    }

    fn stream(&mut self, slot: usize, name: EmbeddingName) -> Result<(&RecordedRun, &ResidualStream), NoAnswer> {
        let (runner, LoadedRun { debugger, stream, .. }) = self.kept(slot)?;
        let run = debugger.run();
        let embedding = match name {
            EmbeddingName::Local => Embedding::Local,
            EmbeddingName::Distributed => Embedding::Distributed { seed: 0 },
        };
        let (_, made) = match stream.take().filter(|(of, _)| *of == name) {
            Some(same) => stream.insert(same),
            None => stream.insert((name, ResidualStream::new(runner.executable(), run.vocabulary(), embedding)?)),
        };
        Ok((run, made))
    }

    fn scheduled(&mut self, slot: usize, limit: Option<NonZeroUsize>) -> Result<&ScheduledRun, NoAnswer> {
        let kept = self.runs.get_mut(slot).and_then(Option::as_mut).ok_or(NoAnswer::NoRun(slot))?;
        let file = self.opened.as_ref().ok_or(NoAnswer::NotOpen)?;
        let LoadedRun { prompt, debugger, scheduled, .. } = kept;
        Ok(match scheduled.take().filter(|same| same.limit == limit) {
            Some(same) => scheduled.insert(same),
            None => scheduled.insert(ScheduledRun::new(file, prompt, debugger.machine(), debugger.ablated(), limit)?),
        })
    }
}

fn error(reason: &NoAnswer) -> String {
    serde_json::to_string(&Response::<()>::Error(reason.to_string())).unwrap_or_default()
}

fn ok(answer: impl Serialize) -> Result<String, NoAnswer> {
    serde_json::to_string(&Response::Ok(answer)).map_err(|error| NoAnswer::NotJson(error.to_string()))
}
