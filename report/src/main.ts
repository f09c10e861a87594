// The page of scrl report: adds pictures to tables that are already there.

import { calibrationChart, curveCharts } from './charts';
import { Facts, readFacts } from './data';
import { el, name } from './dom';
import { MapSection } from './map';
import { themeButton } from './theme';

function runButtons(facts: Facts, map: MapSection): void {
  const articles = facts.runs.map((_, i) => document.getElementById(`run-${i}`)!);
  const buttons = facts.runs.map((run, i) => el('button', { type: 'button', click: () => choose(i) }, name(run.name)));
  const choose = (chosen: number) => {
    articles.forEach((a, i) => { a.hidden = i !== chosen; });
    buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(i === chosen)));
    map.activate(chosen);
  };
  articles[0].before(el('nav', { class: 'runs', 'aria-label': 'Runs' }, el('span', { class: 'faint' }, 'Details of '), ...buttons));
  choose(0);
}

async function main() {
  let map: MapSection | null = null;
  document.getElementById('tools')!.append(themeButton(() => map?.recolor()));
  const facts = await readFacts();
  map = new MapSection(facts, document.getElementById('map')!);
  facts.runs.forEach((run, i) => {
    const part = (key: string) => document.querySelector(`#run-${i} [data-part=${key}]`);
    part('curves')?.append(...curveCharts(run));
    part('calibration')?.append(calibrationChart(run));
  });
  if (facts.runs.length > 1) runButtons(facts, map);
  // For tests, and for the curious at the console.
  Object.assign(window, { scrlReport: { facts, map } });
  document.documentElement.dataset.ready = 'yes';
}

main().catch((e) => {
  document.getElementById('map')?.append(el('p', { role: 'alert' }, `The pictures of this report cannot be shown: ${e}`));
});
