// What the tests of pages in a browser share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const WORK = process.env.WORK, NASTY = JSON.parse(process.env.NASTY);
const require = createRequire(`${WORK}/`);
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const BACKENDS = {
  webgl: ['--enable-unsafe-swiftshader', '--use-angle=swiftshader-webgl'],
  canvas: ['--disable-gpu', '--disable-3d-apis'],
};
export const launch = (backend) =>
  chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', ...BACKENDS[backend]] });

// Opens a page; whatever it complains about, or asks for elsewhere than below `home`, fails the test.
export async function openPage(browser, url, home, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);  // the machine may be busy
  const complaints = [];
  page.on('console', (m) => { // Software rendering remarks on its own slowness when pictures are taken.
    if (['error', 'warning'].includes(m.type()) && !m.text().includes('GL Driver Message')) complaints.push(m.text()); });
  page.on('pageerror', (e) => complaints.push(String(e)));
  page.on('request', (r) => { if (!r.url().startsWith(home)) complaints.push(`asked for ${r.url()}`); });
  await page.goto(url);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-ready]');
  return { page, complaints, async close() {
    await context.close();
    assert.deepEqual(complaints, []);
  } };
}

export async function axe(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.filter((v) => ['serious', 'critical'].includes(v.impact))
    .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html)}`), []);
}
