// Links to programs, in Node. Usage: LINK=link.mjs node --test link.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { random } from './random.mjs';

const { fromFragment, toFragment, LONGEST } = await import(process.env.LINK);

const seed = Number(process.env.SEED ?? 1);
const CASES = 400;

const next = random(seed);
const below = (most) => Math.floor(next() * most);
const pick = (all) => all[below(all.length)];
const UNITS = ['a', ' ', '\n', '\r\n', '\t', '∅', 'é', '😀', '\ud800', '\udfff', '\0', '\u2028', '"', '\\', '</script>', '__proto__', '\ufeff', '{{script}}'];
const string = (most) => Array.from({ length: below(most) }, () => (next() < 0.5 ? pick(UNITS) : String.fromCharCode(below(65536)))).join('');
const number = () => pick([1, 2, 31, 1_000_000, 1 + below(1000)]);

/** Whether a name may be that of a program: written without the page's own rule. */
function isName(name) {
  const characters = [...name];
  const isForeign = (one) => one.codePointAt(0) < 0x20 || /^[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff/\\]$/.test(one);
  return characters.length <= 100 && name.trim() === name && !characters.some(isForeign) && !/^\.*$/.test(name);
}

function shared() {
  const all = { name: string(12), text: string(600), prompt: string(40), panel: pick(['runs', 'tests', 'explorer', 'qkvl', 'weights']), layer: number(), cell: number() };
  return Object.fromEntries(Object.entries(all).filter(([key]) => key === 'name' || key === 'text' || next() < 0.5));
}

const link = (json) => `#psl=1.${deflateRawSync(json).toString('base64url')}`;
const refused = (fragment, why) => assert.rejects(fromFragment(fragment), why);

test('a link gives what was shared', async () => {
  for (let index = 0; index < CASES; index++) {
    const original = shared();
    const fragment = await toFragment(original);
    assert.ok(fragment !== null && /^#psl=1\.[\w-]+$/.test(fragment) && fragment.length <= LONGEST, JSON.stringify(original));
    const { name, ...others } = await fromFragment(fragment);
    assert.ok(isName(name), JSON.stringify(name));
    if (isName(original.name)) assert.equal(name, original.name);
    // As in a file, U+FFFD replaces half a character.
    const { name: _, ...expected } = Object.fromEntries(Object.entries(original).map(([key, value]) => [key, typeof value === 'string' ? value.toWellFormed() : value]));
    assert.deepEqual(others, expected);
  }
});

test('whatever the name, its link can be opened', async () => {
  const names = ['', ' ', '.', '..', '...', '/', 'a/b', '\\', '\n', '\ud800', 'x'.repeat(900_000), '😀'.repeat(101), `${'x'.repeat(99)} 2`, '\u202epsl.a', '__proto__', 'constructor', 'con', ' a '];
  for (const name of names) {
    const found = await fromFragment(await toFragment({ name, text: 'where x' }));
    assert.ok(isName(found.name), JSON.stringify([name.slice(0, 200), found.name]));
    assert.equal(found.text, 'where x');
  }
});

const LIMITS = { n: ['x', 100, 'The name in the link exceeds 100 characters'], p: ['a ', 100_000, 'The prompt in the link exceeds 100,000 characters'] };

test('names and prompts have a limit', async () => {
  for (const [key, [unit, most, why]] of Object.entries(LIMITS)) {
    const of = (length) => link(JSON.stringify({ n: 'a', t: 'b', [key]: unit.repeat(length).slice(0, length) }));
    assert.ok(of(900_000).length < 4_000);
    assert.ok(await fromFragment(of(most)));
    for (const length of [most + 1, 900_000]) await refused(of(length), new RegExp(why));
  }
  assert.equal(await toFragment({ name: 'a', text: 'b', prompt: 'a '.repeat(50_001) }), null);
  // Characters, and not units of UTF-16.
  assert.ok(await fromFragment(link(JSON.stringify({ n: '😀'.repeat(100), t: '' }))));
});

test('half a character is refused by place', async () => {
  for (const [key, what] of Object.entries({ n: 'name', t: 'program', p: 'prompt' })) {
    for (const half of ['\\ud800', '\\udfff', 'a\\ud83d b', '\\ude00\\ud83d']) {
      const others = { n: 'a', t: 'b', p: 'c' };
      delete others[key];
      await refused(link(JSON.stringify(others).replace('{', `{"${key}":"${half}",`)), new RegExp(`The ${what} in the link is not valid Unicode`));
    }
  }
  assert.equal((await fromFragment(link('{"n":"\\ud83d\\ude00","t":"\\ud83d\\ude00"}'))).name, '😀');
});

test('a name that cannot be that of a file is refused', async () => {
  const names = ['', ' ', ' a', 'a ', '.', '..', '...', 'a/b', '../a', 'a\\b', '/', 'a\nb', '\0', '\u001b[31m', '\u0085', '\u2028', '\u202epsl.a', '\u2066a'];
  for (const n of names) await refused(link(JSON.stringify({ n, t: 'b' })), /The name in the link is empty, or cannot be that of a file/);
  for (const n of ['__proto__', 'constructor', 'toString', 'a.b', '.a', 'a b', 'é', 'con', '<b>', '{{script}}', '👩‍💻']) {
    assert.equal((await fromFragment(link(JSON.stringify({ n, t: 'b' })))).name, n);
  }
});

/** Values that a link should not have. */
const FOREIGN = ['null', 'true', '0', '-1', '1.5', '1e400', '1000001', '9007199254740993', '"\\ud800"', '""', '"a"', '"..\u002f"', '[]', '{}', '{"__proto__":1}', `"${'x'.repeat(2000)}"`, '['.repeat(3000) + ']'.repeat(3000), '"\u0000"', '"explorer"', '"__proto__"'];
const KEYS = ['n', 't', 'p', 's', 'l', 'c', '__proto__', 'constructor', 'N', ''];

function foreignJson() {
  const entries = Array.from({ length: below(8) }, () => `${JSON.stringify(pick(KEYS))}:${pick(FOREIGN)}`);
  return `{${['"n":"a"', '"t":"b"', ...entries].filter(() => next() < 0.9).join(',')}}`;
}

/** Bytes with some of them changed, left out or repeated. */
function mutated(bytes) {
  const changed = [...bytes];
  for (let left = 1 + below(4); left > 0; left--) changed.splice(below(changed.length), below(3), ...Array.from({ length: below(3) }, () => below(256)));
  return Buffer.from(changed);
}

const WAYS = [
  () => string(60),
  () => `#psl=${string(30)}`,
  () => `#psl=1.${string(30)}`,
  () => `#psl=${'9'.repeat(below(9000))}.AA`,
  () => `#psl=1.${Array.from({ length: below(200) }, () => pick('ABCabc019-_')).join('')}`,
  () => link(foreignJson()),
  () => link(mutated(Buffer.from(foreignJson()))),
  () => `#psl=1.${mutated(deflateRawSync(foreignJson())).toString('base64url')}`,
  () => `${link(foreignJson())}${pick(['', '.', 'A', '=', '%00', '#', '\ud800'])}`,
];

test('any fragment has no program, one within the limits, or is refused by a sentence', async () => {
  const counts = { none: 0, program: 0, refused: 0 };
  for (let index = 0; index < 10 * CASES; index++) {
    const fragment = pick(WAYS)();
    const found = await fromFragment(fragment).catch((error) => {
      assert.ok(error instanceof Error && /^The .*\blink\b.*\.$/.test(error.message) && error.message.length < 200, `${fragment}: ${error}`);
      return 'refused';
    });
    counts[found === null ? 'none' : found === 'refused' ? 'refused' : 'program'] += 1;
    if (found === null || found === 'refused') continue;
    const { name, text, prompt = '', panel = 'runs', layer = 1, cell = 1, ...more } = found;
    assert.ok(isName(name) && text.isWellFormed() && prompt.isWellFormed() && prompt.length <= 100_000, fragment);
    assert.ok(['runs', 'tests', 'explorer', 'qkvl', 'weights'].includes(panel), fragment);
    for (const number of [layer, cell]) assert.ok(Number.isInteger(number) && number >= 1 && number <= 1_000_000, fragment);
    assert.deepEqual(more, {});
    // What opens can be shared again.
    assert.deepEqual(await fromFragment(await toFragment(found)), found);
  }
  for (const [kind, count] of Object.entries(counts)) assert.ok(count > CASES / 4, `${kind}: ${count}`);
});

test('a link has at most 8,000 characters', async () => {
  assert.equal(LONGEST, 8000);
  // Random digits deflate to a little less than half.
  const digits = Array.from({ length: 20_000 }, () => below(10)).join('');
  const fits = async (length) => (await toFragment({ name: 'a', text: digits.slice(0, length) })) !== null;
  let [low, high] = [0, digits.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  assert.ok(low > 10_000 && !(await fits(digits.length)), String(low));
  const longest = await toFragment({ name: 'a', text: digits.slice(0, low) });
  assert.ok(longest.length > LONGEST - 10 && longest.length <= LONGEST, String(longest.length));
  assert.equal((await fromFragment(longest)).text, digits.slice(0, low));
  await refused(`${longest}${'A'.repeat(LONGEST)}`, /longer than 8,000 characters/);
});

test('a program beyond 1 MB has no link, however small it would be', async () => {
  assert.equal(await toFragment({ name: 'a', text: 'a'.repeat(1_000_001) }), null);
  const almost = 'a'.repeat(999_900);
  assert.equal((await fromFragment(await toFragment({ name: 'a', text: almost }))).text, almost);
});

test('other fragments have no program', async () => {
  for (const fragment of ['', '#', '#file=a.psl', '#psl', '#PSL=1.AA']) assert.equal(await fromFragment(fragment), null);
});

test('a bomb is refused', async () => {
  // 5,000 kB of blanks in about 5 kB.
  const bomb = link(' '.repeat(5_000_000));
  assert.ok(bomb.length < LONGEST);
  await refused(bomb, /exceeds 1 MB/);
});

test('another version is refused', async () => {
  await refused('#psl=2.whatever-it-has', /newer version/);
  await refused(`#psl=12.${'ü'.repeat(9_000)}`, /newer version/);
  // Neither is a version, and the first is not repeated to the reader.
  for (const fragment of [`#psl=${'9'.repeat(5_000)}.AA`, '#psl=0.AA', '#psl=01.AA']) await refused(fragment, /incomplete or was changed/);
});

test('a broken link is refused', async () => {
  const good = await toFragment({ name: 'a', text: 'where x\n'.repeat(20) });
  const broken = ['#psl=', '#psl=1', '#psl=1.', '#psl=x.AA', '#psl=1.AA.AA', '#psl=1.%20', '#psl=1.A', `${good}=`, `${good}.`, `${good}AAAA`, link('{'), link('{"n":'), link(Buffer.from([0x22, 0xff, 0x22])), link('null'), link('"a"'), link('1')];
  for (const fragment of broken) await refused(fragment, /incomplete or was changed/);
  // However it is cut, it is refused and not misread.
  for (let length = '#psl=1.'.length; length < good.length; length++) await refused(good.slice(0, length), /incomplete or was changed/);
});

test('a changed link is refused, or still has the form of a program', async () => {
  const good = await toFragment({ name: 'a', text: 'where x\n'.repeat(20), prompt: 'a b', layer: 3 });
  for (let index = 0; index < CASES; index++) {
    const at = '#psl=1.'.length + below(good.length - '#psl=1.'.length);
    const changed = good.slice(0, at) + pick('ABCabc019-_ %=') + good.slice(at + 1);
    const found = await fromFragment(changed).catch((error) => (error instanceof Error && /link/.test(error.message) ? null : Promise.reject(error)));
    if (found) assert.ok(typeof found.name === 'string' && typeof found.text === 'string');
  }
});

test('wrong types are refused by name', async () => {
  const whole = { n: 'a', t: 'b', p: 'c', s: 'runs', l: 1, c: 1 };
  const wrong = { n: [1, 'a name'], t: [null, 'a program'], p: [[], 'a prompt'], s: ['shell', 'a panel'], l: [0, 'a layer'], c: [1.5, 'a cell'] };
  for (const [key, what] of [['l', 'a layer'], ['c', 'a cell']]) {
    for (const value of ['-1', '1e400', '1000001', '"1"', 'null']) await refused(link(`{"n":"a","t":"b","${key}":${value}}`), new RegExp(what));
  }
  for (const [key, [value, what]] of Object.entries(wrong)) await refused(link(JSON.stringify({ ...whole, [key]: value })), new RegExp(what));
  await refused(link('{"t":"b"}'), /a name/);
  await refused(link('[]'), /a name/);
  const extra = await fromFragment(link('{"n":"a","t":"b","__proto__":{"x":1},"z":9}'));
  assert.deepEqual(Object.keys(extra), ['name', 'text']);
});
