// A session with `psl dap` by the client of @vscode/debugadapter-testsupport, over every request that the adapter announces.
// Run by test_debug_testsupport.py: node scenarios.js PSL PROGRAM.

const assert = require('node:assert/strict');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { afterEach, beforeEach, test } = require('node:test');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [psl, program] = process.argv.slice(2);
const text = readFileSync(program, 'utf8');
const thread = { threadId: 1 };

/// The requests that succeeded, each with its command and arguments.
const succeeded = [];
let client;

class Recorder extends DebugClient {
  async send(command, given) {
    const answer = await super.send(command, given);
    succeeded.push({ command, given: given ?? {} });
    return answer;
  }
}

/// The capabilities of the adapter.
let capabilities;

/// Sends a request that moves, and returns the stop after it.
const move = async (command, given = thread) => {
  const [stop] = await Promise.all([client.waitForEvent('stopped'), client.send(command, given)]);
  return stop.body;
};

/// Launches the program. `breakpoints` sets breakpoints before the run begins.
const launch = async (given, breakpoints = () => {}) => {
  await Promise.all([client.waitForEvent('initialized'), client.launchRequest({ program, ...given })]);
  await breakpoints();
  return move('configurationDone', {});
};

const stack = async () => (await client.stackTraceRequest(thread)).body.stackFrames;
const names = async () => (await stack()).map(({ name }) => name);
const scope = async () => (await client.scopesRequest({ frameId: (await stack())[0].id })).body.scopes[0];
const evaluate = async (expression, context) =>
  (await client.evaluateRequest({ expression, context, frameId: (await stack())[0].id })).body.result;
const setLines = (...breakpoints) => client.setBreakpointsRequest({ source: { path: program }, breakpoints });
const verified = (response) => response.body.breakpoints.map(({ verified }) => verified);

const scenario = (name, body) => test(name, { timeout: 100_000 }, body);
beforeEach(async () => {
  client = new Recorder(psl, 'dap', 'psl');
  client.defaultTimeout = 60_000;
  await client.start();
  capabilities = (await client.initializeRequest()).body;
});
afterEach(() => client.stop());

scenario('a session reads threads, stack, scopes and variables', async () => {
  assert.equal((await launch({ test: 'flip', stopOnEntry: true })).reason, 'entry');
  assert.deepEqual((await client.threadsRequest()).body.threads.map(({ id }) => id), [thread.threadId]);
  const [frame] = await stack();
  assert.deepEqual([frame.name, frame.line, frame.source.path], ['cell 1 (A)', 7, program]);
  const { variablesReference } = await scope();
  const { variables } = (await client.variablesRequest({ variablesReference })).body;
  assert.equal(variables.find(({ name }) => name === 'symbol').value, 'A');
});

scenario('a program without a file is served', async () => {
  await launch({ program: '', text, prompt: 'A B', stopOnEntry: true });
  const [{ source }] = await stack();
  assert.equal((await client.sourceRequest(source)).body.content, text);
});

scenario('steps go both ways', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  await move('stepIn');
  assert.equal((await names())[0], 'cell 2 (B)');
  await move('next');
  assert.match((await names())[0], /^repeat block 1/);
  await move('stepIn');
  await move('stepOut');
  assert.equal((await names())[0], 'pass 1 of repeat block 1');
  await move('stepBack');
  assert.equal((await names())[1], 'count');
  assert.equal((await move('reverseContinue')).description, 'The start of the run');
  assert.equal((await names())[1], 'start');
  assert.match((await move('continue')).description, /^The end of the run/);
});

scenario('an instruction is a cell', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  await move('next', { ...thread, granularity: 'instruction' });
  assert.equal((await names())[0], 'cell 2 (B)');
  await move('stepBack', { ...thread, granularity: 'instruction' });
  assert.equal((await names())[0], 'cell 1 (A)');
});

scenario('a frame is restarted', async () => {
  await launch({ test: 'flip' }, () => setLines({ line: 15 }));
  const frames = await stack();
  assert.equal(frames[0].line, 15);
  const pass = frames.find(({ name }) => name.startsWith('pass 1'));
  assert.equal((await move('restartFrame', { frameId: pass.id })).reason, 'restart');
  assert.equal((await names())[1], 'turn on');
});

scenario('a line is gone to', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  const { targets } = (await client.gotoTargetsRequest({ source: { path: program }, line: 15 })).body;
  assert.match(targets[0].label, /pass \[1\]/);
  assert.equal((await move('goto', { ...thread, targetId: targets[0].id })).reason, 'goto');
  assert.equal((await names())[1], 'count');
});

scenario('lines have breakpoints with conditions and hit counts', async () => {
  const lines = { source: { path: program }, line: 1, endLine: 15 };
  const stop = await launch({ test: 'flip' }, async () => {
    const { breakpoints } = (await client.customRequest('breakpointLocations', lines)).body;
    assert.deepEqual(breakpoints.map(({ line }) => line), [7, 12, 15]);
    const set = await setLines({ line: 12, condition: 'cell == 2 and pass == 1' }, { line: 15, hitCondition: '2' });
    assert.deepEqual(verified(set), [true, true]);
  });
  assert.equal(stop.reason, 'breakpoint');
  assert.deepEqual((await names()).slice(0, 3), ['cell 2 (B)', 'turn on', 'pass 1 of repeat block 1']);
  await move('continue');
  assert.deepEqual((await names()).slice(0, 3), ['cell 2 (B)', 'count', 'pass 2 of repeat block 1']);
});

scenario('a breakpoint prints a message', async () => {
  const message = () => setLines({ line: 7, logMessage: 'symbol {symbol[N]}' });
  const [stop] = await Promise.all([
    launch({ test: 'flip' }, message),
    client.assertOutput('console', 'symbol A\n'),
  ]);
  assert.match(stop.description, /^The end of the run/);
});

scenario('labels have breakpoints', async () => {
  const count = () => client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'count' }, { name: 'none' }] });
  const stop = await launch({ test: 'flip' }, async () => assert.deepEqual(verified(await count()), [true, false]));
  assert.equal(stop.reason, 'function breakpoint');
  assert.equal((await names())[1], 'count');
});

scenario('registers have breakpoints', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  const { variablesReference } = await scope();
  const info = (await client.dataBreakpointInfoRequest({ name: 'mark', variablesReference })).body;
  assert.equal(info.dataId, 'mark[1]');
  const breakpoints = [{ dataId: info.dataId, accessType: 'write' }];
  assert.deepEqual(verified(await client.setDataBreakpointsRequest({ breakpoints })), [true]);
  assert.equal((await move('continue')).reason, 'data breakpoint');
  assert.equal((await names())[1], 'turn on');
});

scenario('registers are changed', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  const { variablesReference } = await scope();
  await client.setVariableRequest({ variablesReference, name: 'count', value: 'A' });
  assert.equal(await evaluate('count[1]', 'watch'), 'A');
  await client.customRequest('setExpression', { expression: 'count[2]', value: 'B' });
  assert.equal(await evaluate('count[2]', 'watch'), 'B');
});

scenario('faults stop the run, and are explained', async () => {
  const wrong = text.replace('=> "B"', '=> "A"');
  const wrongSymbol = () => client.setExceptionBreakpointsRequest({ filters: ['wrong'] });
  assert.equal((await launch({ text: wrong, test: 'flip' }, wrongSymbol)).reason, 'exception');
  assert.match((await client.exceptionInfoRequest(thread)).body.description, /differs/);
});

scenario('every announced fault can be chosen, with a condition', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  const filters = capabilities.exceptionBreakpointFilters.map(({ filter }) => filter);
  const filterOptions = filters.map((filterId) => ({ filterId, condition: 'cell == 1' }));
  const set = await client.setExceptionBreakpointsRequest({ filters, filterOptions });
  assert.deepEqual(verified(set), [...filters, ...filters].map(() => true));
});

scenario('expressions are evaluated in hovers, watches and the console', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  assert.equal(await evaluate('symbol[2]', 'hover'), 'B');
  assert.equal(await evaluate('symbol[1]', 'watch'), 'A');
  assert.match(await evaluate('where', 'repl'), /cell 1 \(A\), line 7/);
});

scenario('the console is completed', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  const complete = async (text) => (await client.completionsRequest({ text, column: text.length + 1 })).body.targets;
  const [register] = await complete('𝒳 watch ma');
  assert.deepEqual(register, { label: 'mark', type: 'variable', start: 10, length: 2 });
  assert.deepEqual((await complete('break tu')).map(({ label }) => label), ['turn on']);
});

scenario('a run without end is paused', async () => {
  const endless = text.replace('max-new 1', 'max-new 900000');
  await launch({ text: endless, prompt: 'A', stopOnEntry: true });
  const stop = client.waitForEvent('stopped');
  await Promise.all([client.continueRequest(thread), client.pauseRequest(thread)]);
  assert.equal((await stop).body.reason, 'pause');
});

scenario('a restart takes the newer text', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  const newer = { program, text: text.replace('"A B"', '"B B"'), test: 'flip', stopOnEntry: true };
  assert.equal((await move('restart', { arguments: newer })).reason, 'entry');
  assert.equal((await names())[0], 'cell 1 (B)');
});

scenario('a run without debugging ends its session', async () => {
  const events = ['output', 'exited', 'terminated'].map((event) => client.waitForEvent(event));
  await Promise.all([client.waitForEvent('initialized'), client.launchRequest({ program, test: 'flip', noDebug: true })]);
  await client.configurationDoneRequest();
  const [output, exited] = await Promise.all(events);
  assert.deepEqual(output.body, { category: 'stdout', output: 'B …\n' });
  assert.deepEqual(exited.body, { exitCode: 0 });
});

scenario('a source has the checksum of the text that runs', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  const checksum = createHash('md5').update(text).digest('hex');
  assert.deepEqual((await stack())[0].source.checksums, [{ algorithm: 'MD5', checksum }]);
});

scenario('a session is terminated', async () => {
  await launch({ test: 'flip', stopOnEntry: true });
  await Promise.all([client.waitForEvent('terminated'), client.terminateRequest({})]);
});

/// What must have succeeded for a capability: each of these tests holds for a request.
const request = (name, has = () => true) => ({ command, given }) => command === name && has(given);
const some = (list, key) => (given) => given[list]?.some((item) => item[key] !== undefined);
const USED = {
  supportsConfigurationDoneRequest: [request('configurationDone')],
  supportsFunctionBreakpoints: [request('setFunctionBreakpoints')],
  supportsConditionalBreakpoints: [request('setBreakpoints', some('breakpoints', 'condition'))],
  supportsHitConditionalBreakpoints: [request('setBreakpoints', some('breakpoints', 'hitCondition'))],
  supportsLogPoints: [request('setBreakpoints', some('breakpoints', 'logMessage'))],
  supportsDataBreakpoints: [request('dataBreakpointInfo'), request('setDataBreakpoints')],
  supportsBreakpointLocationsRequest: [request('breakpointLocations')],
  supportsExceptionFilterOptions: [request('setExceptionBreakpoints', some('filterOptions', 'condition'))],
  supportsExceptionInfoRequest: [request('exceptionInfo')],
  exceptionBreakpointFilters: [request('setExceptionBreakpoints', ({ filters }) => filters.length > 1)],
  supportsSetVariable: [request('setVariable')],
  supportsSetExpression: [request('setExpression')],
  supportsStepBack: [request('stepBack'), request('reverseContinue')],
  supportsSteppingGranularity: [request('next', ({ granularity }) => granularity !== undefined)],
  supportsGotoTargetsRequest: [request('gotoTargets'), request('goto')],
  supportsRestartFrame: [request('restartFrame')],
  supportsRestartRequest: [request('restart')],
  supportsTerminateRequest: [request('terminate')],
  supportsCompletionsRequest: [request('completions')],
  supportedChecksumAlgorithms: [request('stackTrace')],
  supportsEvaluateForHovers: [request('evaluate', ({ context }) => context === 'hover')],
};

scenario('every capability is used', async () => {
  for (const [capability, announced] of Object.entries(capabilities)) {
    if (announced === false) continue;
    assert.ok(capability in USED, `${capability}: add a scenario, and a line in USED`);
    for (const used of USED[capability]) assert.ok(succeeded.some(used), `${capability}: ${used}`);
  }
});
