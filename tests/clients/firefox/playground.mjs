// Uses the playground in Firefox without a window. Usage: node playground.mjs PUPPETEER ADDRESS
import { pathToFileURL } from 'node:url';

const [puppeteerPath, address] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(puppeteerPath));
const browser = await puppeteer.launch({ browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: true });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on('console', (line) => { if (['error', 'warn'].includes(line.type())) complaints.push(line.text()); });
  page.on('pageerror', (failure) => complaints.push(String(failure)));
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(address);
  await page.waitForSelector('.psl-lens');
  console.log('the server is ready');

  await page.focus('#editor .cm-content');
  await page.keyboard.down('Control');
  await page.keyboard.press('Home');
  await page.keyboard.up('Control');
  await page.keyboard.type('where x');
  await page.waitForSelector('.cm-lintRange-error');
  for (const _ of 'where x') await page.keyboard.press('Backspace');
  await page.waitForFunction(() => document.querySelector('.cm-lintRange-error') === null);
  console.log('a fault is found');

  const panel = async (text) => {
    try {
      await page.waitForFunction((wanted) => [...document.querySelectorAll('[role=tabpanel]')].some((it) => it.checkVisibility() && it.textContent.includes(wanted)), {}, text);
    } catch (failure) {
      throw new Error(`${text} is not in ${await page.$$eval('[role=tabpanel]', (all) => all.map(({ textContent }) => textContent).join('\n'))}`, { cause: failure });
    }
  };
  await page.click('#tab-runs');
  await page.click('#prompt');
  await page.keyboard.press('Enter');
  await panel('two three .');
  console.log('a prompt runs');
  await page.click('#tab-tests');
  await page.$$eval('#toolbar button', (all) => all.find(({ textContent }) => textContent === 'Test').click());
  await panel('4 passed, 0 failed');
  console.log('tests run');
  await page.click('#tab-qkvl');
  await panel('register_map');
  console.log('QKVL is shown');
  await page.click('#tab-explorer');
  const frame = await page.waitForFrame((it) => it.url().includes('explorer'));
  await frame.waitForSelector('#grid .g-cell span');
  console.log('the explorer shows the run');

  await page.focus('#editor .cm-content');
  await page.keyboard.type('# mine');
  await page.reload();
  await page.waitForSelector('.psl-lens');
  await page.waitForFunction(() => document.querySelector('#editor .cm-content').textContent.includes('# mine'));
  console.log('the text is kept');
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
} finally {
  await browser.close();
}
