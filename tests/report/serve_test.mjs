// The page of scrl serve, from servers that browser.py started.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { axe, launch, NASTY, openPage, WORK } from './support.mjs';

const { SERVER, ODD, ALONE } = process.env;
const ask = async (url, path, body) => (await fetch(url + path, body && { method: 'POST', body: JSON.stringify(body) })).json();
const percent = (p) => `${(100 * p).toFixed(1)} %`;

describe('the page of the server', () => {
  let browser;
  before(async () => { browser = await launch('canvas'); });
  after(() => browser?.close());
  const open = (url, options) => openPage(browser, url, url, options);
  const meters = (page) => page.$$eval('#answer .meter', (all) =>
    Object.fromEntries(all.map((m) => [m.querySelector('.label').textContent, m.querySelector('.value').textContent])));
  const expected = (p) => Object.fromEntries(Object.entries(p.probabilities).map(([c, v]) => [c, percent(v)]));

  it('looks nodes up and shows them on the map', async () => {
    const { page, close } = await open(SERVER);
    await page.waitForSelector('html[data-map]', { timeout: 120000 });
    await page.fill('#known-id', 'n0017');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#answer .meter');
    const answer = await ask(SERVER, '/v1/nodes/n0017');
    assert.equal(await page.textContent('#answer h3'), 'n0017');
    assert.equal(await page.textContent('#answer p b'), answer.label);
    assert.deepEqual(await meters(page), expected(answer));
    assert.equal(await page.textContent('.inspector h3'), 'n0017');
    await page.selectOption('#alpha', '0.2');
    await page.click('#known button');
    await page.waitForSelector('#answer .set');
    const { set, sets } = await ask(SERVER, '/v1/nodes/n0017?alpha=0.2');
    assert.deepEqual(await page.$$eval('#answer .chip', (all) => all.map((c) => c.textContent)), set);
    assert.ok((await page.textContent('#answer')).includes(sets.statement.slice(1)));
    await page.screenshot({ path: `${WORK}/shots/serve.png`, fullPage: true });
    await axe(page);
    await close();
  });

  it('predicts a new node, and says what does not fit', async () => {
    const { page, close, complaints } = await open(SERVER, { colorScheme: 'dark' });
    await page.fill('#new-id', 'ida');
    await page.fill('#features', '3:1 17:0.5\n40');
    await page.fill('#neighbours', 'n0001\n n0002 \n');
    await page.click('#new button');
    await page.waitForSelector('#answer .meter');
    const { predictions: [answer] } = await ask(SERVER, '/v1/predict', { nodes: [
      { id: 'ida', features: { 3: 1, 17: 0.5, 40: 1 }, neighbours: ['n0001', 'n0002'] }] });
    assert.equal(await page.textContent('#answer h3'), 'ida');
    assert.deepEqual(await meters(page), expected(answer));
    await axe(page);
    await page.screenshot({ path: `${WORK}/shots/serve-dark.png`, fullPage: true });
    const alert = async () => page.textContent('#answer [role=alert]');
    await page.fill('#features', '3:x');
    await page.click('#new button');
    await page.waitForSelector('#answer [role=alert]');
    assert.match(await alert(), /^features: expected column:value, found "3:x"$/);
    await page.fill('#features', '');
    await page.fill('#neighbours', 'nobody');
    await page.click('#new button');
    await page.waitForFunction(() => document.querySelector('#answer').textContent.includes('nobody'));
    assert.match(await alert(), /^nodes\[0\]\.neighbours\[0\]: there is no node "nobody"/);
    // The browser remarks on the status of that answer.
    assert.ok(complaints.splice(0).every((c) => c.includes('422')));
    await close();
  });

  it('treats names as text', async () => {
    const { page, close } = await open(ODD);
    await page.waitForSelector('html[data-map]', { timeout: 120000 });
    for (const id of NASTY) {
      await page.fill('#known-id', id);
      await page.click('#known button');
      await page.waitForFunction((t) => document.querySelector('#answer h3')?.textContent === t, id);
      assert.equal(await page.textContent('.inspector h3'), id);
      assert.ok('<script>window.hacked=3</script>' in await meters(page));
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img').count(), 0);
    await close();
  });

  it('works without a map', async () => {
    const { page, close, complaints } = await open(ALONE);
    await page.waitForFunction(() => document.querySelector('#map').textContent.includes('there is no 2-D embedding'));
    await page.fill('#known-id', 'plain');
    await page.click('#known button');
    await page.waitForSelector('#answer .meter');
    assert.equal(await page.textContent('#answer h3'), 'plain');
    assert.ok(complaints.splice(0).every((c) => c.includes('404')));
    await close();
  });
});
