//! Answers a case with the functions of this crate: each request is one call.

use std::sync::{Arc, atomic::AtomicBool};

use psl_ide::{
    ActionKind, InlayHintSettings, ProductionKey, Proposals, Search, SymbolSearch, WantedActions, WatchValues,
    completion::CompletionItem, searchable,
};
use psl_program::{File, RunHistory, TestReport};
use psl_search::OneThread;
use psl_syntax::Span;
use serde_json::Value;

use crate::{
    cases::{
        case::{Case, edit},
        shown::{NOTHING, error, indented, lines, or_none},
    },
    page::{Page, action_kind, completion, help},
    runs,
};

/// A version of a case's text, and the state kept between requests.
pub struct Session<'c> {
    case: &'c Case,
    file: File,
    report: Option<TestReport>,
    history: RunHistory,
    /// The results of the last search.
    proposals: Option<Proposals>,
    /// The items offered last.
    completions: Vec<CompletionItem>,
    /// The item prepared last.
    production: Option<ProductionKey>,
}

/// An answer as it is shown, `None` if it is empty, or the message of a refusal.
type Answer = Result<Option<String>, String>;

impl<'c> Session<'c> {
    pub fn new(case: &'c Case) -> Self {
        let (file, report) = read(&case.text);
        Self {
            case,
            file,
            report,
            history: RunHistory::default(),
            proposals: None,
            completions: Vec::new(),
            production: None,
        }
    }

    /// The case's file with the answers.
    pub fn answered(mut self) -> String {
        let mut file = self.case.head.clone();
        for request in &self.case.requests {
            file.push_str(&request.line);
            file.push('\n');
            if request.method == "edit" {
                let mut text = self.file.text().to_owned();
                edit(&mut text, &request.params);
                (self.file, self.report) = read(&text);
                continue;
            }
            let answer = match self.answer(&request.method, &request.params) {
                Ok(Some(shown)) => or_none(shown),
                Ok(None) => NOTHING.to_owned(),
                Err(why) => error(&why),
            };
            file.push_str(&answer);
        }
        file
    }

    fn answer(&mut self, method: &str, given: &Value) -> Answer {
        let (file, report) = (&self.file, self.report.as_ref());
        let page = Page { file };
        let offset = self.case.offset() as u32;
        let span = Span::from(range(self.case.span(file.text())));
        Ok(Some(match method {
            "diagnostics" => page.diagnostics(&psl_program::diagnostics(file, report)),
            "textDocument/hover" => {
                return Ok(psl_ide::hover(file, report, offset, None).map(|found| page.hover(&found)));
            }
            "textDocument/definition" => return Ok(psl_ide::definition(file, offset).map(|span| page.lines(&[span]))),
            "textDocument/references" => {
                let declaration = given["context"]["includeDeclaration"] != false;
                page.lines(&psl_ide::references(file, offset, declaration))
            }
            "textDocument/declaration" => return Ok(psl_ide::definition(file, offset).map(|span| page.lines(&[span]))),
            "textDocument/implementation" => page.lines(&psl_ide::implementations(file, offset)),
            "textDocument/prepareCallHierarchy" => {
                let item = psl_ide::prepare_call_hierarchy(file, offset);
                let shown = item.as_ref().map(|item| page.hierarchy_item(item));
                self.production = item.map(|item| item.key);
                return Ok(shown);
            }
            "callHierarchy/incomingCalls" | "callHierarchy/outgoingCalls" => {
                let production = self.production.as_ref().expect("an item was prepared");
                let incoming = method.ends_with("incomingCalls");
                let calls = if incoming { psl_ide::incoming_calls } else { psl_ide::outgoing_calls };
                return Ok(calls(file, production).map(|calls| page.calls(&calls)));
            }
            "textDocument/documentHighlight" => page.highlights(&psl_ide::document_highlights(file, offset)),
            "textDocument/documentSymbol" => page.symbols(&psl_ide::document_symbols(file), 0),
            "workspace/symbol" => {
                let symbols = psl_ide::document_symbols(file);
                let mut search = SymbolSearch::new(given["query"].as_str().unwrap_or_default(), usize::MAX);
                for found in searchable(&symbols) {
                    search.offer(&found.0.name, || found);
                }
                page.found_symbols(&search.best())
            }
            "textDocument/foldingRange" => page.folds(&psl_ide::folding_ranges(file)),
            "textDocument/selectionRange" => {
                let places = self.case.places.iter();
                places.map(|place| page.lines(&psl_ide::selection_ranges(file, place.0 as u32))).collect()
            }
            "textDocument/signatureHelp" => return Ok(psl_ide::signature_help(file, offset).map(|found| help(&found))),
            "textDocument/documentLink" => page.links(&psl_ide::document_links(file)),
            "textDocument/completion" => {
                let (items, replaced) = psl_ide::completions(file, offset);
                let shown = page.completions(&items, replaced);
                self.completions = items;
                shown
            }
            "completionItem/resolve" => {
                let item =
                    self.completions.iter().find(|item| item.label == *given).expect("an item of the answer above");
                completion(item) + &indented(&lines(&item.resolve_data.markdown().unwrap_or_default()))
            }
            "textDocument/semanticTokens/full" => page.tokens(&psl_ide::semantic_tokens(file, Span::new(0, u32::MAX))),
            "textDocument/semanticTokens/range" => page.tokens(&psl_ide::semantic_tokens(file, span)),
            "textDocument/inlayHint" => {
                let prompt = self.history.usual_prompt(file);
                let watched = prompt.and_then(|prompt| WatchValues::new(file, prompt, &AtomicBool::new(false)));
                page.hints(&psl_ide::inlay_hints(file, report, watched.as_ref(), span, InlayHintSettings::default()))
            }
            "textDocument/codeLens" => page.lenses(&psl_ide::code_lenses(file, &self.history)),
            "textDocument/codeAction" => {
                let wanted = wanted(&given["context"]);
                page.actions(&psl_ide::code_actions(
                    file,
                    report,
                    &self.history,
                    self.proposals.as_ref(),
                    span,
                    &wanted,
                ))
            }
            "textDocument/prepareRename" => {
                return Ok(psl_ide::prepare_rename(file, offset).map(|it| page.renamable(&it)));
            }
            "textDocument/rename" => {
                let name = given["newName"].as_str().expect("a name");
                let edits = psl_ide::rename(file, offset, name).transpose().map_err(|error| error.to_string())?;
                return Ok(edits.map(|edits| page.diff(&edits)));
            }
            "textDocument/linkedEditingRange" => {
                return Ok(psl_ide::linked_editing_ranges(file, offset).map(|spans| page.linked(&spans)));
            }
            "textDocument/onTypeFormatting" => {
                page.diff(&psl_ide::on_type_edits(file, offset, given["ch"].as_str().expect("what was typed")))
            }
            "textDocument/formatting" => return Ok(psl_ide::format_edits(file).map(|edits| page.diff(&edits))),
            "textDocument/rangeFormatting" => {
                return Ok(psl_ide::format_lines_edits(file, span).map(|edits| page.diff(&edits)));
            }
            "search" => {
                let kind = if file.errors().is_empty() { Search::Repair } else { Search::Fill };
                let found = psl_ide::propose(file, kind, &OneThread, &Arc::default()).map_err(|why| why.to_string())?;
                let shown = found.counted() + "\n";
                self.proposals = Some(found);
                shown
            }
            "workspace/executeCommand" => return runs::command(file, &mut self.history, given).map(Some),
            other => panic!("{} requests {other}: add `--- protocol` as its first line", self.case.name),
        }))
    }
}

/// A file without configuration, and the results of its tests.
fn read(text: &str) -> (File, Option<TestReport>) {
    let no_folder = |_: &str| Err("the program has no folder".to_owned());
    let file = File::new(text, Arc::default()).with_prompts(no_folder);
    let tests = 0..file.program().tests.len();
    let never = AtomicBool::new(false);
    let runs = tests.map(|test| psl_program::run_test(&file, test, &never)).collect::<Option<Vec<_>>>();
    (file, runs.map(TestReport::new))
}

fn range((start, end): (usize, usize)) -> std::ops::Range<usize> {
    start..end
}

/// The kinds of actions that a context asks for: those in `only`, otherwise all except those for the whole file. Only
/// quick fixes if the editor asked automatically.
fn wanted(context: &Value) -> WantedActions {
    let automatic = context["triggerKind"] == 2;
    let is_wanted = |kind: &ActionKind| match context["only"].as_array() {
        Some(only) => {
            let name = action_kind(*kind);
            only.iter().filter_map(Value::as_str).any(|only| name == only || name.starts_with(&format!("{only}.")))
        }
        None => *kind == ActionKind::QuickFix || (!automatic && *kind != ActionKind::FixAll),
    };
    WantedActions { kinds: ActionKind::ALL.into_iter().filter(is_wanted).collect(), automatic, best: 2 }
}
