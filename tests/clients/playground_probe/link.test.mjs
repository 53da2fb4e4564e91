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
const number = () => pick([1, 2, 31, Number.MAX_SAFE_INTEGER, 1 + below(1000)]);

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
    assert.deepEqual(await fromFragment(fragment), original);
  }
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
  for (const [key, [value, what]] of Object.entries(wrong)) await refused(link(JSON.stringify({ ...whole, [key]: value })), new RegExp(what));
  await refused(link('{"t":"b"}'), /a name/);
  await refused(link('[]'), /a name/);
  const extra = await fromFragment(link('{"n":"a","t":"b","__proto__":{"x":1},"z":9}'));
  assert.deepEqual(Object.keys(extra), ['name', 'text']);
});
