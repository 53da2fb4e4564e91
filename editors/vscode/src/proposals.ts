// Lists the repairs of failing tests and the fillings of holes, each with its diff.
import { commands, ProgressLocation, type TextDocument, type Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { toRange } from './convert';
import type { Proposal, Proposals } from './protocol';
import type { Server } from './server';
import { Views } from './views';

const APPLY = 'Apply';
/** The commands that search, each with its title while it does. */
const TITLES = {
  'psl.repair': 'Searching for a repair',
  'psl.fill': 'Searching for what belongs in the holes',
  'psl.unnoticed': 'Searching for what the tests do not notice',
};
export type Search = keyof typeof TITLES;

export const isSearch = (command: string): command is Search => command in TITLES;

const CHANGED = 'The program has changed since the search.';

/** The text of the proposal that is shown, by the URI of its view. A later change of the program does not change it. */
const texts = new Map<string, string>();

/** Searches, lets the user choose a result, shows its diff, and applies it if the user accepts it. */
export async function propose(server: Server, command: Search, program: Uri, which: object = {}): Promise<void> {
  const { version } = await workspace.openTextDocument(program);
  const proposals = await window.withProgress(
    { location: ProgressLocation.Notification, title: TITLES[command], cancellable: true },
    (_progress, token) => server.request<Proposals>(command, { ...which, uri: program.toString() }, token),
  );
  const items = proposals.found.map((proposal) => ({ label: proposal.title, detail: remarks(proposal).join('; '), proposal }));
  if (items.length === 0) {
    const why = proposals.cutOff ? 'The search found nothing in time.' : 'The search found nothing.';
    return void window.showInformationMessage(why);
  }
  const chosen = await window.showQuickPick(items, { title: titleOf(proposals), ignoreFocusOut: true });
  if (chosen) await showDiff(program, chosen.proposal, version);
}

/** The warnings that a proposal brings, and how many others do the same. */
const remarks = ({ warnings, same }: Proposal): string[] => (same === null ? warnings : [...warnings, same]);

const titleOf = ({ distinguishingPrompt, count, found }: Proposals): string => {
  const shown = count > found.length ? `The best ${found.length} of ${count}` : `${count} found`;
  return distinguishingPrompt ? `${shown}; a test of the prompt "${distinguishingPrompt.prompt}" would tell them apart` : shown;
};

async function showDiff(program: Uri, { title, edits }: Proposal, version: number): Promise<void> {
  const document = await workspace.openTextDocument(program);
  if (document.version !== version) throw new Error(CHANGED);
  const view = Views.of('proposal', program, '.psl', { title });
  texts.clear();
  texts.set(view.toString(), edited(document, edits));
  await commands.executeCommand('vscode.diff', program, view, title, { preview: true });
  const answer = await window.showInformationMessage(title, APPLY);
  if (answer !== APPLY) return;
  if (document.version !== version) throw new Error(CHANGED);
  const edit = new WorkspaceEdit();
  edits.forEach(({ range, newText }) => edit.replace(program, toRange(range), newText));
  await workspace.applyEdit(edit);
  await window.showTextDocument(document);
}

/** The text of a program after the edits of the proposal that is shown. */
export const proposedText = async (view: Uri): Promise<string> => texts.get(view.toString()) ?? '';

function edited(document: TextDocument, edits: Proposal['edits']): string {
  return edits.reduceRight((text, { range, newText }) => {
    const { start, end } = toRange(range);
    return text.slice(0, document.offsetAt(start)) + newText + text.slice(document.offsetAt(end));
  }, document.getText());
}
