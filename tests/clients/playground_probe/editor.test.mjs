// The pure parts of the playground's editor, in Node. Usage: EDITOR=editor.mjs COLORS=grammars/colors.toml node --test editor.test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const { answering, changesOf, decode, editsOf, indentation, offsetOf, parseSnippet, positionOf, ROWS, sameUri, Text, toTemplate, Unknown } =
  await import(process.env.EDITOR);

const range = (line, from, to, end = line) => ({ start: { line, character: from }, end: { line: end, character: to } });
const text = (...lines) => Text.of(lines);

test('snippets', () => {
  const check = (source, plain, stops, template) => {
    const read = parseSnippet(source);
    assert.equal(read.text, plain, source);
    assert.deepEqual(read.stops.map(({ number, from, to }) => `${number}:${plain.slice(from, to)}@${from}`), stops, source);
    assert.equal(toTemplate(source), template, source);
  };
  check('symbol[N] = $0', 'symbol[N] = ', ['0:@12'], 'symbol[N] = ${0}');
  check('where ${1:x}[n] == $2:\n    $0', 'where x[n] == :\n    ', ['1:x@6', '2:@14', '0:@20'], 'where ${1:x}[n] == ${2}:\n    ${0}');
  check("registers: {symbol: 's'\\}", "registers: {symbol: 's'}", [], "registers: \\{symbol: 's'\\}");
  check('\\$1 \\\\ #{x}', '$1 \\ #{x}', [], '$1 \\ #\\{x\\}');
  check('${1|true,false|} ${name:A}', 'true A', ['1:true@0'], '${1:true} A');
  check('${1:a ${2:b} c} $1', 'a b c ', ['2:b@2', '1:a b c@0', '1:@6'], '${1:a b c} ${1}');
  check('a $ b } {', 'a $ b } {', [], 'a $ b \\} \\{');
});

test('positions outside the text move into it', () => {
  const doc = text('ab', '', 'cde');
  for (const [line, character, offset] of [[0, 0, 0], [0, 9, 2], [1, 0, 3], [2, 3, 7], [9, 0, 7], [-1, 4, 0]]) {
    assert.equal(offsetOf(doc, { line, character }), offset, `${line}:${character}`);
  }
  assert.deepEqual(positionOf(doc, 5), { line: 2, character: 1 });
});

test('edits change the text and select the place of a snippet', () => {
  const doc = text('registers: {a}', 'where sybol[N]');
  const edits = [
    { range: range(1, 6, 11), newText: 'symbol' },
    { range: range(0, 13, 13), snippet: { kind: 'snippet', value: ', ${1:b}$0' } },
  ];
  const { changes, selection } = changesOf(doc, edits);
  assert.deepEqual(changes, [{ from: 13, to: 13, insert: ', b' }, { from: 21, to: 26, insert: 'symbol' }]);
  assert.deepEqual(selection, { anchor: 15, head: 16 });
  assert.equal(changesOf(doc, edits.slice(0, 1)).selection, null);
});

test('an edit of the workspace counts for its document only', () => {
  const edit = { range: range(0, 0, 0), newText: 'x' };
  const here = 'file:///a%20b.psl';
  assert.deepEqual(editsOf({ changes: { 'file:///a b.psl': [edit], 'file:///c.psl': [edit] } }, here), [edit]);
  const documentChanges = [{ textDocument: { uri: here, version: 3 }, edits: [edit] }, { kind: 'create', uri: here }];
  assert.deepEqual(editsOf({ documentChanges }, here), [edit]);
  assert.ok(sameUri(here, 'file:///a b.psl') && !sameUri(here, 'file:///a.psl') && !sameUri('file:///%', here));
});

test('semantic tokens', () => {
  const legend = { tokenTypes: ['property', 'variable', 'unknown'], tokenModifiers: ['declaration', 'modification'] };
  const data = [0, 4, 6, 0, 2, 0, 7, 1, 1, 0, 2, 3, 2, 2, 0, 1, 0, 5, 0, 1];
  assert.deepEqual(decode(data, legend), [
    { line: 0, character: 4, length: 6, row: 'register-written' },
    { line: 0, character: 11, length: 1, row: 'register-read' },
    { line: 3, character: 0, length: 5, row: 'role' },
  ]);
});

test('each kind of word has its row in the table of colors', () => {
  const table = readFileSync(process.env.COLORS, 'utf8').matchAll(/^\[([\w-]+)\]\ntoken = "([^"]+)"/gm);
  assert.deepEqual(Object.fromEntries([...table].map(([, row, token]) => [token, row])), ROWS);
});

test('indentation', () => {
  const check = (before, line, columns) => assert.equal(indentation(before.toReversed(), line, 4), columns, JSON.stringify(before));
  check([], '', 0);
  check(['where symbol[N] == A:'], '', 4);
  check(['where symbol[N] == A:', '    symbol[N] = B'], '', 4);
  check(['where symbol[N] == A:', '    symbol[N] = B', ''], '', 0);
  check(['repeat:  # all'], '', 4);
  check(['repeat:', '    where symbol[N] == A:', '        symbol[N] = B', ''], '', 4);
  check(['    where symbol[N] == A:', '        symbol[N] = B', ''], 'until NO_CHANGE', 0);
  check(['registers: {'], '', 4);
  check(['registers: {', "    symbol: 's',"], '}', 0);
  check(['# where a list [ starts'], '', 0);
  check(["watch: [symbol]"], '', 0);
});

test('the transport answers the server, and empties answers about an older text', () => {
  const sent = [];
  const received = [];
  let deliver;
  const server = { send: (it) => sent.push(JSON.parse(it)), subscribe: (handler) => { deliver = (it) => handler(JSON.stringify(it)); }, unsubscribe() {} };
  const transport = answering(server, (method, params) => {
    if (method === 'workspace/configuration') return params.items.map(() => null);
    throw new Unknown('no');
  });
  transport.subscribe((it) => received.push(JSON.parse(it)));
  const jsonrpc = '2.0';
  deliver({ jsonrpc, id: 'a', method: 'workspace/configuration', params: { items: [1, 2] } });
  deliver({ jsonrpc, id: 7, method: 'window/other' });
  assert.deepEqual(sent, [{ jsonrpc, id: 'a', result: [null, null] }, { jsonrpc, id: 7, error: { code: -32601, message: 'no' } }]);
  transport.send(JSON.stringify({ jsonrpc, id: 1, method: 'textDocument/hover', params: {} }));
  transport.send(JSON.stringify({ jsonrpc, id: 2, method: 'workspace/executeCommand', params: {} }));
  const stale = { code: -32800, message: 'stopped' };
  for (const id of [1, 2]) deliver({ jsonrpc, id, error: stale });
  deliver({ jsonrpc, id: 3, error: { code: -32803, message: 'why' } });
  deliver({ jsonrpc, method: 'window/showMessage', params: {} });
  // What the server gives up is asked again while the text is the same.
  const given = { code: -32802, message: 'busy' };
  const question = { jsonrpc, id: 4, method: 'textDocument/codeAction', params: {} };
  sent.length = 0;
  transport.send(JSON.stringify(question));
  deliver({ jsonrpc, id: 4, error: given });
  transport.send(JSON.stringify({ jsonrpc, method: 'textDocument/didChange', params: {} }));
  assert.deepEqual(sent, [question, question, { jsonrpc, method: 'textDocument/didChange', params: {} }]);
  deliver({ jsonrpc, id: 4, error: given });
  assert.deepEqual(received.pop(), { jsonrpc, id: 4, result: null });
  assert.deepEqual(received, [
    { jsonrpc, id: 1, result: null }, { jsonrpc, id: 2, error: stale }, { jsonrpc, id: 3, error: { code: -32803, message: 'why' } },
    { jsonrpc, method: 'window/showMessage', params: {} },
  ]);
});
