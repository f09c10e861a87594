// The pages that browser.py had written, opened from the disk with the network off.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { axe, BACKENDS, launch, NASTY, openPage, WORK } from './support.mjs';

const json = (path) => JSON.parse(readFileSync(`${WORK}/${path}`, 'utf8'));
// Two digits as the program prints them: of two that are as near, the even one.
const two = (v) => {
  const low = Math.floor(100 * v);
  return 100 * v - low === 0.5 && low % 2 === 0 ? (low / 100).toFixed(2) : v.toFixed(2);
};

for (const backend of Object.keys(BACKENDS)) describe(`drawn by ${backend}`, () => {
  let browser;
  before(async () => { browser = await launch(backend); });
  after(() => browser?.close());

  const open = (file, options = {}) => openPage(browser, `file://${WORK}/${file}`, 'file:', { offline: true, ...options });
  const place = (page, node, panel = 0) =>
    page.evaluate(([n, p]) => scrlReport.map.panels[p].placeOf(n), [node, panel]);
  const settled = (page) => page.waitForFunction(() =>
    scrlReport.map.panels.every((p) => !p.moving) && new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(true)))));
  const shot = (page, name, options) => page.screenshot({ path: `${WORK}/shots/${name}-${backend}.png`, ...options });
  async function clickNode(page, node) {
    await page.locator('.stage').first().scrollIntoViewIfNeeded();
    const { x, y } = await place(page, node);
    await page.mouse.click(x, y);
  }
  // Points and lines can hide each other: a node that is alone where it is.
  const lonely = (page) => page.evaluate(() => {
    const p = scrlReport.map.panels[0], at = Array.from({ length: p.data.nodes }, (_, i) => p.placeOf(i));
    const gap = (i) => Math.min(...at.map((q, j) => i === j ? Infinity : Math.hypot(q.x - at[i].x, q.y - at[i].y)));
    return at.map((_, i) => i).reduce((best, i) => gap(i) > gap(best) ? i : best, 0);
  });
  it('draws the points, with the backend it should', async () => {
    const { page, close } = await open('scrl/report.html');
    assert.equal(await page.evaluate(() => scrlReport.map.panels[0].backend), backend);
    await settled(page);
    const inked = await page.evaluate(() => {
      const from = document.querySelector('canvas.points'), to = document.createElement('canvas');
      [to.width, to.height] = [from.width, from.height];
      const c = to.getContext('2d');
      c.drawImage(from, 0, 0);
      const { data } = c.getImageData(0, 0, to.width, to.height), pixels = new Uint32Array(data.buffer);
      return pixels.filter((v) => v !== pixels[0]).length;
    });
    assert.ok(inked > 3000, `${inked} pixels`);
    await shot(page, 'report', { fullPage: true });
    await close();
  });

  it('says in its tables what metrics.json and scrl eval say', async () => {
    const { page, close } = await open('scrl/report.html');
    const m = json('scrl/metrics.json'), e = json('eval.json');
    const rows = (selector) => page.$$eval(`${selector} tbody tr`, (trs) =>
      trs.map((tr) => [...tr.children].map((c) => c.textContent.trim())));
    const pm = (v) => `${two(v.mean)} ± ${two(v.std)}`;
    const [result] = await rows('#results table');
    assert.deepEqual(result, ['scrl', 'scrl', 'demo', String(m.labels_per_class || '–'), m.protocol, '2', pm(m.accuracy),
      pm(m.macro_f1), pm(m.val_accuracy), two(m.oracle.accuracy), String(m.best_epoch), two(m.epoch_ms)]);
    const seeds = await rows('#run-0-training table');
    assert.deepEqual(seeds.map((s) => s[1]), m.per_seed.map((s) => two(s.test.accuracy)));
    const counts = (await rows('#run-0-classes table.confusion')).map((r) => r.slice(1).map((c) => c === '·' ? 0 : Number(c)));
    assert.deepEqual(counts, e.confusion);
    const classes = await rows('#run-0-classes table:not(.confusion)');
    assert.deepEqual(classes.map((r) => r[0]), e.classes);
    e.confusion.forEach((row, c) => {
      const truth = row.reduce((a, b) => a + b), guessed = e.confusion.reduce((a, r) => a + r[c], 0);
      assert.equal(classes[c][4], two(100 * row[c] / truth));
      assert.equal(classes[c][3], guessed ? two(100 * row[c] / guessed) : '–');
    });
    const f1 = classes.map((r) => Number(r[5])).reduce((a, b) => a + b) / classes.length;
    assert.ok(Math.abs(f1 - e.test.macro_f1) < 0.01);
    await close();
  });

  it('plays the epochs: the slider and the play button move the points', async () => {
    const { page, close } = await open('scrl/report.html');
    await settled(page);
    const epochs = await page.evaluate(() => scrlReport.facts.runs[0].frames.map((f) => f.epoch));
    assert.ok([0, 10, 20, 30].every((e) => epochs.includes(e)), String(epochs));
    const chosen = await place(page, 7);
    await page.locator('#epoch').focus();
    await page.keyboard.press('Home');
    await settled(page);
    assert.match(await page.textContent('.panel figcaption'), /epoch 0/);
    const start = await place(page, 7);
    assert.ok(Math.hypot(start.x - chosen.x, start.y - chosen.y) > 1);
    await shot(page, 'epoch-0');
    await page.click('#play');
    await page.waitForFunction(() => document.querySelector('#epoch').value !== '0', null, { timeout: 10000 });
    await page.click('#play');
    await page.click('.time button:last-child');
    await settled(page);
    assert.deepEqual(await place(page, 7), chosen);
    await close();
  });

  it('moves the points smoothly unless the reader wants calm', async () => {
    const { page, close } = await open('scrl/report.html', { reducedMotion: 'no-preference' });
    await settled(page);
    const moving = await page.evaluate(() => { // asked at once: on a busy machine the move may be over by the next call
      const slider = document.querySelector('#epoch');
      slider.value = slider.min;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      return scrlReport.map.panels[0].moving;
    });
    assert.equal(moving, true);
    await settled(page);
    await close();
  });

  it('inspects a clicked node: class, probabilities, neighbours in both graphs', async () => {
    const { page, close } = await open('odd/report.html');
    await settled(page);
    const node = await lonely(page);
    await clickNode(page, node);
    assert.equal(await page.textContent('.inspector h3'), NASTY[node]);
    const lists = await page.$$eval('.inspector .neighbours', (uls) =>
      uls.map((ul) => [...ul.querySelectorAll('bdi')].map((b) => b.textContent)));
    const ring = [(node + 1) % 10, (node + 9) % 10, ...(node === 0 ? [5] : node === 5 ? [0] : [])];
    assert.deepEqual(lists[0].sort(), ring.map((n) => NASTY[n]).sort());
    assert.ok(lists[1].length >= 2);
    const shares = await page.$$eval('.inspector .meter .value', (v) => v.map((x) => parseFloat(x.textContent)));
    assert.ok(Math.abs(shares[0] + shares[1] - 100) < 0.3);   // two classes
    assert.ok(Math.abs(shares[2] + shares[3] - 100) <= 1);    // topology and features
    // A neighbour is one click away, also by keyboard.
    await page.locator('.inspector .neighbours button').first().focus();
    await page.keyboard.press('Enter');
    assert.ok(ring.map((n) => NASTY[n]).includes(await page.textContent('.inspector h3')));
    await close();
  });

  it('finds a node by its id', async () => {
    const { page, close } = await open('scrl/report.html');
    await page.fill('#search', 'n0017');
    await page.keyboard.press('Enter');
    assert.equal(await page.textContent('.inspector h3'), 'n0017');
    await page.fill('#search', 'n00');
    assert.ok(await page.locator('.found button').count() > 1);
    await page.locator('.found button').nth(1).click();
    assert.match(await page.textContent('.inspector h3'), /^n00/);
    await page.fill('#search', 'nobody');
    assert.equal(await page.textContent('.search [role=status]'), 'no such id');
    await page.fill('#search', 'n0017');
    await page.keyboard.press('Enter');
    await page.locator('#map').scrollIntoViewIfNeeded();
    await shot(page, 'node');
    await close();
  });

  it('hovers, zooms, pans and lassoes, by mouse and by keyboard', async () => {
    const { page, close } = await open('scrl/report.html');
    await settled(page);
    await page.locator('.stage').scrollIntoViewIfNeeded();
    const node = await lonely(page), before = await place(page, node);
    await page.mouse.move(before.x, before.y);
    assert.match(await page.textContent('.tip'), /^n\d+/);
    assert.equal(await page.locator('.tip').isVisible(), true);
    await page.locator('.overlay').focus();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await settled(page);
    const moved = await place(page, node);
    assert.ok(Math.hypot(moved.x - before.x, moved.y - before.y) > 5);
    await page.keyboard.press('0');
    await settled(page);
    const home = await place(page, node);
    assert.ok(Math.hypot(home.x - before.x, home.y - before.y) < 1);
    await page.mouse.wheel(0, -300);
    await settled(page);
    await page.click('text=Show all');
    const box = await page.locator('.stage').boundingBox();
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    for (const [fx, fy] of [[0.5, 0.02], [0.5, 0.98], [0.01, 0.98]])
      await page.mouse.move(box.x + fx * box.width, box.y + fy * box.height, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const title = await page.textContent('.inspector h3');
    const left = await page.evaluate(([x0, x1]) => {
      const p = scrlReport.map.panels[0];
      return Array.from({ length: p.data.nodes }, (_, i) => p.placeOf(i)).filter((q) => q.x > x0 + 12 && q.x < x1 - 12).length;
    }, [box.x, box.x + box.width / 2]);
    const caught = parseInt(title);
    assert.match(title, /nodes$/);
    assert.ok(caught >= 0.9 * left && caught < 1200 && caught > 100, `${caught} caught, ${left} on the left`);
    await close();
  });

  it('colours nodes in every way and singles out a class', async () => {
    const { page, close } = await open('scrl/report.html');
    const keys = await page.$$eval('#coloring option', (o) => o.map((x) => x.value));
    assert.deepEqual(keys, ['class', 'predicted', 'right', 'role', 'confidence', 'view', 'agreement']);
    for (const key of keys) {
      await page.selectOption('#coloring', key);
      await settled(page);
      if (key === 'view') await shot(page, 'view-that-decided');
    }
    await page.selectOption('#coloring', 'class');
    await page.locator('.legend.classes button').first().click();
    assert.equal(await page.locator('.legend.classes button').first().getAttribute('aria-pressed'), 'true');
    await close();
  });

  it('shows several runs side by side', async () => {
    const { page, close } = await open('two.html', { colorScheme: 'dark' });
    assert.equal(await page.locator('.panel').count(), 2);
    assert.equal(await page.locator('#results tbody tr').count(), 2);
    assert.equal(await page.locator('#run-1').isVisible(), false);
    await page.click('.runs button:nth-of-type(2)');
    assert.equal(await page.locator('#run-1').isVisible(), true);
    await page.fill('#search', 'n0017');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.inspector dd').count(), 4);  // class, part, and a prediction of each run
    await axe(page);
    await shot(page, 'two-dark', { fullPage: true });
    await close();
  });

  it('treats names as text', async () => {
    const { page, close } = await open('odd/report.html');
    for (let i = 0; i < NASTY.length; ++i) {
      await page.evaluate((n) => scrlReport.map.select(n), i);
      assert.equal(await page.textContent('.inspector h3'), NASTY[i]);
      await page.fill('#search', NASTY[i]);
      await page.keyboard.press('Enter');
      assert.equal(await page.textContent('.inspector h3'), NASTY[i]);
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img').count(), 0);
    assert.match(await page.textContent('#run-0-classes tbody tr th'), /^<\/td><\/table><b>first$/);
    await shot(page, 'nasty', { fullPage: true });
    await close();
  });

  it('has no serious accessibility problem, light or dark', async () => {
    const { page, close } = await open('scrl/report.html');
    await page.evaluate(() => scrlReport.map.select(3));
    await axe(page);
    await page.click('.theme');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await axe(page);
    await shot(page, 'dark', { fullPage: true });
    await close();
  });

  it('can be read without a script', async () => {
    const { page, close } = await open('scrl/report.html', { javaScriptEnabled: false });
    const m = json('scrl/metrics.json');
    assert.ok((await page.innerText('#results')).includes(m.accuracy.mean.toFixed(2)));
    assert.equal(await page.locator('#run-0-classes table').count(), 2);
    assert.ok(await page.locator('#map noscript').count() === 1);
    await close();
  });

  it('stays smooth with 20,000 nodes', async () => {
    const { page, close } = await open('large/report.html', { reducedMotion: 'no-preference' });
    const ms = await page.evaluate(async () => {
      const p = scrlReport.map.panels[0], times = [];
      for (let i = 0; i < 30; ++i) {
        await new Promise(requestAnimationFrame);
        const begin = performance.now();
        p.zoomBy(i % 2 ? 1.1 : 1 / 1.1);
        p.drawNow();
        times.push(performance.now() - begin);
      }
      return times.sort((a, b) => a - b)[15];
    });
    console.log(`# 20,000 nodes by ${backend}: ${ms.toFixed(1)} ms per picture`);
    assert.ok(ms < 120, `${ms} ms`);
    await page.fill('#search', 'n19999');
    await page.keyboard.press('Enter');
    await shot(page, 'large');
    await close();
  });
});
