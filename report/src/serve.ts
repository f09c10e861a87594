// The page of scrl serve: asks the server about a node of the training data or a new one, and shows
// the map of the report.

import { unpackFacts } from './data';
import { el, name, percent } from './dom';
import { bar } from './inspector';
import { MapSection } from './map';
import { themeButton } from './theme';

interface Prediction { id: string; label: string; probabilities: Record<string, number>; set?: string[] }
interface Sets { alpha: number; guaranteed: boolean; statement: string }
interface Model { model: string; nodes: number; features: number; new_nodes: boolean; sets: boolean; neighbour_means: boolean }

const SHOWN = 12;

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, body === undefined ? {} : {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);  // what is wrong, in the server's words
  return answer;
}

// "12:1.5 40" as {"12": 1.5, "40": 1}: columns with values, a value of 1 left out.
function features(text: string): Record<string, number> {
  const out: Record<string, number> = {};
  for (const item of text.split(/[\s,;]+/).filter(Boolean)) {
    const [column, value = '1'] = item.split(':');
    if (!/^\d+$/.test(column) || value.trim() === '' || !Number.isFinite(Number(value)))
      throw new Error(`features: expected column:value, found "${item}"`);
    if (column in out) throw new Error(`features: column ${column} is given twice`);
    out[column] = Number(value);
  }
  return out;
}

const sentence = (text: string): string => text[0].toUpperCase() + text.slice(1) + '.';
const lines = (text: string): string[] => text.split('\n').map((t) => t.trim()).filter(Boolean);

function answerCard(p: Prediction, sets?: Sets): HTMLElement {
  const order = Object.entries(p.probabilities).sort(([, a], [, b]) => b - a);
  return el('div', { class: 'card' },
    el('h3', {}, name(p.id)),
    el('p', {}, 'Class ', el('b', {}, name(p.label)), `, ${percent(p.probabilities[p.label])}`),
    ...order.slice(0, SHOWN).map(([c, v]) => bar(v, name(c), percent(v))),
    order.length > SHOWN && el('p', { class: 'faint' }, `and ${order.length - SHOWN} less probable classes`),
    p.set !== undefined && el('h4', {}, `Set of classes, coverage ${percent(1 - sets!.alpha, 0)}`),
    p.set !== undefined && el('p', { class: 'set' }, ...(p.set.length ? p.set.map((c) => el('span', { class: 'chip' }, name(c)))
                                                                        : ['empty: no class fits'])),
    p.set !== undefined && el('p', { class: 'faint' }, sentence(sets!.statement)));
}

class Page {
  private result = el('div', { class: 'answer', 'aria-live': 'polite', id: 'answer' },
                      el('p', { class: 'faint' }, 'Probabilities appear here.'));
  private alpha = el('select', { id: 'alpha' }, el('option', { value: '' }, 'none'),
    ...['0.05', '0.1', '0.2'].map((a) => el('option', { value: a }, `${percent(1 - Number(a), 0)} coverage`)));
  map: MapSection | null = null;

  constructor(private model: Model, root: HTMLElement) {
    root.replaceChildren(el('div', { class: 'ask' }, this.knownForm(), this.newForm(), this.result));
  }

  private async show(answer: () => Promise<[Prediction, Sets | undefined]>) {
    try {
      this.result.replaceChildren(answerCard(...await answer()));
    } catch (e) {
      this.result.replaceChildren(el('p', { role: 'alert' }, e instanceof Error ? e.message : String(e)));
    }
  }

  private knownForm(): HTMLElement {
    const id = el('input', { type: 'text', id: 'known-id', autocomplete: 'off', spellcheck: 'false', dir: 'auto', required: true });
    return el('form', { id: 'known', submit: (e: Event) => {
      e.preventDefault();
      const query = this.alpha.value ? `?alpha=${this.alpha.value}` : '';
      this.show(async () => {
        const p = await ask<Prediction & { sets?: Sets }>(`/v1/nodes/${encodeURIComponent(id.value)}${query}`);
        this.map?.find(p.id);
        return [p, p.sets];
      });
    } }, el('h2', {}, 'A node of the data'),
      el('label', { for: 'known-id' }, `Id, of ${this.model.nodes.toLocaleString('en')} nodes`), id,
      this.model.sets && el('label', { for: 'alpha' }, 'Prediction sets'), this.model.sets && this.alpha,
      el('button', {}, 'Look up'));
  }

  private newForm(): HTMLElement {
    if (!this.model.new_nodes)
      return el('div', {}, el('h2', {}, 'A new node'), el('p', { class: 'faint' }, 'This method knows only the nodes that it was trained on.'));
    const id = el('input', { type: 'text', id: 'new-id', value: 'new', autocomplete: 'off', spellcheck: 'false', dir: 'auto', required: true });
    const values = el('textarea', { id: 'features', spellcheck: 'false', placeholder: '12:1 40:0.5' });
    const neighbours = el('textarea', { id: 'neighbours', spellcheck: 'false', dir: 'auto' });
    return el('form', { id: 'new', submit: (e: Event) => {
      e.preventDefault();
      this.show(async () => {
        const node = { id: id.value, features: features(values.value), neighbours: lines(neighbours.value) };
        const alpha = this.alpha.value ? { alpha: Number(this.alpha.value) } : {};
        const answer = await ask<{ predictions: Prediction[]; sets?: Sets }>('/v1/predict', { nodes: [node], ...alpha });
        return [answer.predictions[0], answer.sets];
      });
    } }, el('h2', {}, 'A new node'),
      el('label', { for: 'new-id' }, 'Id'), id,
      el('label', { for: 'features' }, `Features, as column:value; columns 0 to ${this.model.features - 1}`), values,
      el('label', { for: 'neighbours' }, 'Neighbours, one id per line'), neighbours,
      el('button', {}, 'Predict'));
  }
}

interface Packed { status?: 'working'; facts: unknown; arrays: string }

// The server computes the 2-D embedding when it is first asked for it.
async function packedEmbedding(waiting: () => void): Promise<Packed> {
  for (;;) {
    const answer = await ask<Packed>('/v1/embedding2d');
    if (!answer.status) return answer;
    waiting();
    await new Promise((r) => setTimeout(r, 1000));
  }
}

async function main() {
  let page: Page | null = null;
  document.getElementById('tools')!.append(themeButton(() => page?.map?.recolor()));
  page = new Page(await ask<Model>('/v1/model'), document.getElementById('ask')!);
  document.documentElement.dataset.ready = 'yes';
  const root = document.getElementById('map')!, status = el('p', { class: 'faint', role: 'status' });
  root.append(status);
  try {
    const { facts, arrays } = await packedEmbedding(() => { status.textContent = 'The 2-D embedding is being computed.'; });
    page.map = new MapSection(await unpackFacts(facts, arrays), root);
    status.remove();
    // For tests, and for the curious at the console.
    Object.assign(window, { scrlReport: { map: page.map } });
    document.documentElement.dataset.map = 'yes';
  } catch (e) {
    status.textContent = e instanceof Error ? e.message : String(e);
  }
}

main().catch((e) => {
  document.getElementById('ask')?.append(el('p', { role: 'alert' }, `The server does not answer: ${e}`));
});
