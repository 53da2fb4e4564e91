// Starts the language server, asks for the prompt of a run, and shows its result. All else is the server's.
const { execFile } = require('node:child_process');
const { ProgressLocation, commands, window, workspace } = require('vscode');
const { LanguageClient, RevealOutputChannelOn } = require('vscode-languageclient/node');

let client;
let turn = Promise.resolve();
let lastPrompt = '';
let pathChanged;

/** Starts the server, in place of one that runs. One start waits for another, and the client shows why one fails. */
function start() {
  turn = turn.then(startNow).catch(() => {});
  return turn;
}

async function startNow() {
  await stop();
  const command = workspace.getConfiguration('psl').get('path');
  // A client that cannot start its server says so in words that help nobody, so this is found out before.
  const failure = await new Promise((resolve) => execFile(command, ['--version'], resolve));
  if (failure) return void offerHelp(command, failure);
  client = new LanguageClient('psl', 'PSL', { command, args: ['lsp'] }, {
    documentSelector: ['file', 'untitled'].map((scheme) => ({ scheme, language: 'psl' })),
    initializationOptions: { showResults: false },
    middleware: { executeCommand: execute },
    // A failed request goes to the log; what somebody waits for, `execute` shows.
    revealOutputChannelOn: RevealOutputChannelOn.Never,
  });
  await client.start();
}

async function stop() {
  if (client?.isRunning()) await client.stop();
}

async function offerHelp(command, failure) {
  const reason = failure.code === 'ENOENT' ? 'there is no such program' : failure.message;
  const message = `PSL files have no language server, for '${command}' cannot be run: ${reason}. Install psl, or say in the setting psl.path where it is.`;
  const answer = await window.showErrorMessage(message, 'Open Setting', 'Try Again');
  if (answer === 'Open Setting') commands.executeCommand('workbench.action.openSettings', 'psl.path');
  if (answer === 'Try Again') start();
}

/** Runs a command of the server; a run that names neither a test nor a prompt gets its prompt here. */
async function execute(command, args, next) {
  if (command !== 'psl.run' && command !== 'psl.tests') return next(command, args);
  const [argument] = args;
  if (command === 'psl.run' && argument.test === undefined && argument.prompt === undefined) {
    const prompt = await window.showInputBox({
      title: 'Run on a prompt',
      prompt: 'Symbols separated by spaces',
      value: lastPrompt,
      // A prompt is often fetched from elsewhere.
      ignoreFocusOut: true,
    });
    if (!prompt?.trim()) return;
    lastPrompt = prompt;
    args = [{ ...argument, prompt }];
  }
  try {
    const running = { location: ProgressLocation.Window, title: 'PSL: running' };
    const result = await window.withProgress(running, () => next(command, args));
    show(result);
    return result;
  } catch (failure) {
    window.showErrorMessage(failure.message);
  }
}

/** Lenses and diagnostics show how tests went, so a word in the status bar is enough for them. */
function show(result) {
  const tests = Array.isArray(result) ? result : [result];
  if (tests.some((test) => test.passed === undefined)) {
    return window.showInformationMessage(result.continuation || 'The program wrote nothing.');
  }
  const failed = tests.filter((test) => !test.passed).length;
  const text = failed ? `$(error) PSL: ${tests.length - failed} passed, ${failed} failed` : `$(check) PSL: ${tests.length} passed`;
  window.setStatusBarMessage(text, 10_000);
}

exports.activate = (context) => {
  const runOnPrompt = async (uri = window.activeTextEditor?.document.uri) => {
    if (!client?.isRunning()) await start();
    if (uri && client?.isRunning()) await commands.executeCommand('psl.run', { uri: uri.toString() });
  };
  context.subscriptions.push(
    commands.registerCommand('psl.runOnPrompt', runOnPrompt),
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('psl.path')) return;
      // The settings editor saves while one types.
      clearTimeout(pathChanged);
      pathChanged = setTimeout(start, 1000);
    }),
  );
  return start();
};

exports.deactivate = stop;
