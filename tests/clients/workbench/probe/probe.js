// Runs code from a socket as the body of an async function, with `vscode` in scope.
const { rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { text } = require('node:stream/consumers');
const vscode = require('vscode');

const AsyncFunction = (async () => {}).constructor;

/** The URI of a file in the workspace. */
const uri = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);

async function answer({ code, given }) {
  try {
    const run = new AsyncFunction('vscode', 'uri', ...Object.keys(given), code);
    return { result: (await run(vscode, uri, ...Object.values(given))) ?? null };
  } catch (failure) {
    return { failure: failure.stack ?? String(failure) };
  }
}

exports.activate = (context) => {
  const socket = process.env.PROBE_SOCKET;
  rmSync(socket, { force: true });
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    connection.end(JSON.stringify(await answer(JSON.parse(await text(connection)))));
  });
  server.listen(socket);
  context.subscriptions.push({ dispose: () => server.close() });
};
