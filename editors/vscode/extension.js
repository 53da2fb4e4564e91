// Starts the language server, asks for the prompt of a run, and shows its result. All else is the server's.
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { commands, window, workspace } = require('vscode');
const { LanguageClient, RevealOutputChannelOn } = require('vscode-languageclient/node');

let client;
let turn = Promise.resolve();
let lastPrompt = '';
let pathChanged;

/** Starts the server, in place of one that runs. One start waits for another; why one fails is shown by then. */
const start = () => (turn = turn.then(startNow).catch(() => {}));
const stop = async () => client?.isRunning() && client.stop();

async function startNow() {
  await stop();
  const command = workspace.getConfiguration('psl').get('path');
  try {
    // A client that cannot start its server says so in words that help nobody, so this is found out before.
    await promisify(execFile)(command, ['lsp', '--help']);
  } catch (failure) {
    return void offerHelp(command, failure);
  }
  client = new LanguageClient('psl', 'PSL', { command, args: ['lsp'] }, {
    documentSelector: [
      ...['file', 'untitled'].map((scheme) => ({ scheme, language: 'psl' })),
      { scheme: 'file', pattern: '**/psl.toml' },
    ],
    initializationOptions: { showResults: false },
    middleware: { executeCommand: execute },
    // A failed request goes to the log; what somebody waits for, `execute` shows.
    revealOutputChannelOn: RevealOutputChannelOn.Never,
  });
  await client.start();
}

async function offerHelp(command, failure) {
  const reason = failure.code === 'ENOENT' ? 'there is no such program' : failure.stderr?.trim() || failure.message;
  const message = `PSL files have no language server, for '${command}' cannot be run: ${reason}. `
    + 'Install psl, or say in the setting psl.path where it is.';
  const answer = await window.showErrorMessage(message, 'Open Setting', 'Try Again');
  if (answer === 'Open Setting') commands.executeCommand('workbench.action.openSettings', 'psl.path');
  if (answer === 'Try Again') start();
}

/** Runs a command of the server; a run that names neither a test nor a prompt gets its prompt here. */
async function execute(command, args, next) {
  if (command !== 'psl.run' && command !== 'psl.tests') return next(command, args);
  const [{ test, prompt }] = args;
  try {
    if (command === 'psl.run' && test === undefined && prompt === undefined) {
      // A program that cannot run says so before anyone is asked for a prompt.
      await next('psl.compile', [{ uri: args[0].uri, emit: 'psl' }]);
      const title = 'Run on a prompt: symbols separated by spaces';
      const answer = await window.showInputBox({ title, value: lastPrompt, ignoreFocusOut: true });
      if (!answer?.trim()) return;
      lastPrompt = answer;
      args = [{ ...args[0], prompt: answer }];
    }
    const result = await next(command, args);
    if (result) show(result);
    return result;
  } catch (failure) {
    window.showErrorMessage(failure.message);
  }
}

/** Lenses and diagnostics show how tests went, so a word in the status bar is enough for them. */
function show(result) {
  if (result.continuation !== undefined && result.passed === undefined) {
    const more = result.stopped === 'max-new' ? ' …' : '';
    return window.showInformationMessage(result.continuation + more);
  }
  const tests = [result].flat();
  const passed = tests.filter((test) => test.passed).length;
  const icon = passed === tests.length ? 'check' : 'error';
  window.setStatusBarMessage(`$(${icon}) PSL: ${passed} passed, ${tests.length - passed} failed`, 10_000);
}

async function runOnPrompt() {
  if (!client?.isRunning()) await start();
  const uri = window.activeTextEditor?.document.uri.toString();
  if (uri && client?.isRunning()) await commands.executeCommand('psl.run', { uri });
}

exports.activate = (context) => {
  const onChange = (event) => {
    if (!event.affectsConfiguration('psl.path')) return;
    // The settings editor saves while one types.
    clearTimeout(pathChanged);
    pathChanged = setTimeout(start, 1000);
  };
  context.subscriptions.push(workspace.onDidChangeConfiguration(onChange));
  context.subscriptions.push(commands.registerCommand('psl.runOnPrompt', runOnPrompt));
  return start();
};

exports.deactivate = stop;
