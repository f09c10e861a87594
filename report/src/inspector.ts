// What is known about the selected node, or about a group of nodes.

import { className, Data, idOf, Neighbours, probability, ROLES, Run } from './data';
import { el, name, percent } from './dom';
import { classColor, classShape } from './palette';
import { swatch } from './panel';

export const listed = (g: Neighbours, node: number): number[] =>
  Array.from({ length: g.start[node + 1] - g.start[node] }, (_, i) => g.node[g.start[node] + i]);

const classMark = (d: Data, c: number): HTMLElement =>
  el('span', { class: 'mark' }, swatch(classColor(c), classShape(c)), name(className(d, c)));

export function bar(share: number, label: Node, text: string): HTMLElement {
  return el('div', { class: 'meter' }, el('span', { class: 'label' }, label), el('span', { class: 'track' },
    el('span', { class: 'fill', style: `--w:${share.toFixed(4)}` })), el('span', { class: 'value' }, text));
}

function neighbourList(title: string, d: Data, g: Neighbours | null, node: number, pick: (n: number) => void): HTMLElement {
  if (!g) return el('div', {}, el('h4', {}, title), el('p', { class: 'faint' }, 'The data has no features.'));
  const nodes = listed(g, node), all = g.degree[node];
  const same = nodes.filter((n) => d.labels[n] === d.labels[node]).length;
  return el('div', {},
    el('h4', {}, `${title}: ${all}`),
    all === 0 ? el('p', { class: 'faint' }, 'none') : el('p', { class: 'faint' },
      `${same} of ${nodes.length}${nodes.length < all ? ' shown' : ''} have the same class`),
    el('ul', { class: 'neighbours' }, ...nodes.map((n) => el('li', {}, el('button', { type: 'button', click: () => pick(n) },
      swatch(classColor(d.labels[n]), classShape(d.labels[n])), name(idOf(d, n)),
      el('span', { class: 'hidden' }, `, ${className(d, d.labels[n])}`))))));
}

function viewsPart(d: Data, r: Run, node: number): (HTMLElement | null)[] {
  if (!r.views) return [];
  const prototype = (side: number) => {
    const p = r.views!.nearest[side][node];
    return r.views!.prototypes_are_classes ? name(d.classes[p]) : el('span', {}, `no. ${p}`);
  };
  const t = r.views.share ? r.views.share[node] / 255 : 0;
  return [
    el('h4', {}, 'Which view decided'),
    r.views.share ? el('div', {}, bar(t, el('span', {}, 'topology'), percent(t, 0)),
                       bar(1 - t, el('span', {}, 'features'), percent(1 - t, 0))) : null,
    el('p', { class: 'faint' }, 'Nearest prototype by topology: ', prototype(0), '; by features: ', prototype(1), '.'),
  ];
}

export function nodeCard(d: Data, runs: Run[], active: Run, node: number, pick: (n: number) => void): HTMLElement {
  const order = d.classes.map((_, c) => c).sort((a, b) => probability(active, d, node, b) - probability(active, d, node, a));
  const shown = order.slice(0, 6);
  return el('div', { class: 'card' },
    el('h3', {}, name(idOf(d, node))),
    el('dl', {},
      el('dt', {}, 'class'), el('dd', {}, classMark(d, d.labels[node])),
      el('dt', {}, 'part'), el('dd', {}, ROLES[active.roles[node]]),
      ...runs.flatMap((r) => [
        el('dt', {}, runs.length > 1 ? name(r.name) : 'predicted'),
        el('dd', {}, classMark(d, r.predicted[node]), ' ', percent(probability(r, d, node, r.predicted[node])))])),
    el('h4', {}, 'Probabilities', runs.length > 1 && ', ', runs.length > 1 && name(active.name)),
    ...shown.map((c) => bar(probability(active, d, node, c), name(d.classes[c]), percent(probability(active, d, node, c)))),
    order.length > shown.length && el('p', { class: 'faint' }, `and ${order.length - shown.length} less probable classes`),
    ...viewsPart(d, active, node),
    neighbourList('Neighbours in the topology', d, d.topology, node, pick),
    neighbourList('Neighbours in the feature graph', d, d.features, node, pick));
}

export function groupCard(d: Data, active: Run, nodes: number[], pick: (n: number) => void): HTMLElement {
  const tally = (of: (n: number) => number): [number, number][] => {
    const counts = new Map<number, number>();
    for (const n of nodes) counts.set(of(n), (counts.get(of(n)) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  };
  const meters = (of: (n: number) => number) => tally(of).slice(0, 8).map(([c, count]) =>
    bar(count / nodes.length, name(className(d, c)), String(count)));
  const ids = nodes.map((n) => idOf(d, n));
  const copy = el('button', { type: 'button', click: () => {
    const area = el('textarea', {}, ids.join('\n'));
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    copy.textContent = 'Copied';
  } }, 'Copy the ids');
  return el('div', { class: 'card' },
    el('h3', {}, `${nodes.length} nodes`), copy,
    el('h4', {}, 'True classes'), ...meters((n) => d.labels[n]),
    el('h4', {}, 'Predicted classes'), ...meters((n) => active.predicted[n]),
    el('h4', {}, 'Nodes'),
    el('ul', { class: 'neighbours' }, ...nodes.slice(0, 100).map((n) => el('li', {}, el('button', { type: 'button',
      click: () => pick(n) }, swatch(classColor(d.labels[n]), classShape(d.labels[n])), name(idOf(d, n)))))),
    nodes.length > 100 && el('p', { class: 'faint' }, `and ${nodes.length - 100} more`));
}
