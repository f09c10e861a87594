// The map section: one panel per run, and the controls they share.

import { Facts, idOf, Run } from './data';
import { calm, el, name } from './dom';
import { groupCard, listed, nodeCard } from './inspector';
import { Coloring, COLORINGS, css, Look } from './palette';
import { Panel, swatch } from './panel';

const STEP_MS = 1100;

export class MapSection {
  readonly panels: Panel[];
  private coloring: Coloring = COLORINGS[0];
  private active: Panel;
  private node = -1;
  private group: number[] | null = null;
  private legend = el('div', { class: 'legend classes', role: 'group', 'aria-label': 'Legend; press to single out' });
  private card = el('aside', { class: 'inspector', 'aria-live': 'polite', 'aria-label': 'Selected node' });
  private epochs: number[];
  private slider!: HTMLInputElement;
  private sliderText = el('output', { class: 'faint' });
  private playing = 0;
  private play!: HTMLButtonElement;
  private singled = -1;

  constructor(private facts: Facts, root: HTMLElement) {
    const several = facts.runs.length > 1;
    this.panels = facts.runs.map((run) => new Panel(run, facts.data[run.data], several ? run.name : null, {
      pick: (node) => this.select(node, this.panelOf(run)),
      lasso: (nodes) => this.selectGroup(nodes, this.panelOf(run)),
    }));
    this.active = this.panels[0];
    this.epochs = [...new Set(facts.runs.flatMap((r) => r.frames.map((f) => f.epoch)))].sort((a, b) => a - b);
    root.append(
      el('p', { class: 'note' }, `Every point is a node, placed by ${facts.layout === 'tsne' ? 't-SNE' : 'the two main axes'} ` +
        'of its embedding. Click a point to inspect it. Click the picture first, then: wheel or + and − zoom, drag or ' +
        'arrows pan, 0 shows all, shift and drag selects a group.'),
      el('div', { class: 'controls' }, this.colorControl(), this.searchControl(), this.viewControls()),
      this.legend,
      el('div', { class: 'map' }, el('div', { class: several ? 'panels several' : 'panels' }, ...this.panels.map((p) => p.root)), this.card));
    if (this.epochs.length > 1) root.insertBefore(this.timeControl(), this.legend);
    this.showEpoch('chosen');
    this.recolor();
    this.refresh();
  }

  private panelOf(run: Run): Panel { return this.panels.find((p) => p.run === run)!; }
  private related(): Panel[] { return this.panels.filter((p) => p.data.fingerprint === this.active.data.fingerprint); }

  // ---- controls

  private colorControl(): HTMLElement {
    const usable = COLORINGS.filter((c) => !c.needs || this.facts.runs.every((r) => c.needs!(r)));
    return el('label', {}, 'Colour ', el('select', { id: 'coloring', change: (e: Event) => {
      this.coloring = COLORINGS.find((c) => c.key === (e.target as HTMLSelectElement).value)!;
      this.singled = -1;
      this.recolor();
    } }, ...usable.map((c) => el('option', { value: c.key }, c.title))));
  }

  private searchControl(): HTMLElement {
    const found = el('ul', { class: 'found' });
    const status = el('span', { class: 'faint', role: 'status' });
    const matches = (text: string): number[] => {
      const d = this.active.data, exact: number[] = [], begin: number[] = [], lower = text.toLowerCase();
      for (let i = 0; i < d.nodes; ++i) {
        const id = idOf(d, i);
        if (id === text) exact.push(i);
        else if (begin.length < 8 && id.toLowerCase().startsWith(lower)) begin.push(i);
      }
      return [...exact, ...begin].slice(0, 8);
    };
    const take = (node: number) => { found.replaceChildren(); this.select(node, this.active, true); };
    const input = el('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false', dir: 'auto',
      placeholder: 'node id', input: () => {
        const text = input.value.trim(), nodes = text ? matches(text) : [];
        status.textContent = text && !nodes.length ? 'no such id' : '';
        found.replaceChildren(...nodes.map((n) => el('li', {}, el('button', { type: 'button', click: () => take(n) },
          name(idOf(this.active.data, n))))));
      }, keydown: (e: KeyboardEvent) => {
        if (e.key === 'Escape') found.replaceChildren();
        if (e.key !== 'Enter') return;
        const nodes = matches(input.value.trim());
        if (nodes.length) take(nodes[0]);
        else status.textContent = 'no such id';
      } });
    return el('div', { class: 'search' }, el('label', { for: 'search' }, 'Find '), input, found, ' ', status);
  }

  private viewControls(): HTMLElement {
    const all = (action: (p: Panel) => void) => () => this.panels.forEach(action);
    const lasso = el('button', { type: 'button', 'aria-pressed': 'false', click: () => {
      const on = lasso.getAttribute('aria-pressed') !== 'true';
      lasso.setAttribute('aria-pressed', String(on));
      this.panels.forEach((p) => { p.lassoMode = on; });
    } }, 'Lasso');
    return el('div', { class: 'buttons' },
      el('button', { type: 'button', 'aria-label': 'Zoom in', click: all((p) => p.zoomBy(1.4)) }, '+'),
      el('button', { type: 'button', 'aria-label': 'Zoom out', click: all((p) => p.zoomBy(1 / 1.4)) }, '−'),
      el('button', { type: 'button', click: all((p) => p.reset()) }, 'Show all'), lasso);
  }

  private timeControl(): HTMLElement {
    this.slider = el('input', { type: 'range', id: 'epoch', min: 0, max: this.epochs.length - 1, step: 1,
      input: () => { this.stop(); this.showEpoch(this.epochs[Number(this.slider.value)]); } });
    this.play = el('button', { type: 'button', id: 'play', click: () => this.playing ? this.stop() : this.start() }, 'Play');
    return el('div', { class: 'controls time' }, this.play, el('label', { for: 'epoch' }, 'Epoch'), this.slider, this.sliderText,
      el('button', { type: 'button', click: () => { this.stop(); this.showEpoch('chosen'); } }, 'Chosen epoch'));
  }

  private start() {
    const at = (): number => Number(this.slider.value);
    this.showEpoch(this.epochs[at() === this.epochs.length - 1 ? 0 : at()]);
    this.play.textContent = 'Pause';
    this.playing = window.setInterval(() => {
      if (at() + 1 >= this.epochs.length) return this.stop();
      this.showEpoch(this.epochs[at() + 1]);
    }, calm() ? 2 * STEP_MS : STEP_MS);
  }
  private stop() {
    clearInterval(this.playing);
    this.playing = 0;
    if (this.play) this.play.textContent = 'Play';
  }

  showEpoch(epoch: number | 'chosen') {
    this.panels.forEach((p) => p.show(epoch));
    if (!this.slider) return;
    const one = this.panels.length === 1;
    const at = epoch !== 'chosen' ? this.epochs.indexOf(epoch)
      : one ? this.epochs.indexOf(this.panels[0].run.best_epoch) : this.epochs.length - 1;
    this.slider.value = String(at);
    this.sliderText.textContent = epoch === 'chosen' && !one ? 'chosen epoch of each run'
      : `${this.epochs[at]} of ${this.epochs[this.epochs.length - 1]}`;
    this.slider.setAttribute('aria-valuetext', this.sliderText.textContent);
  }

  // ---- colours

  recolor() {
    const looks = this.panels.map((p) => p.paint(this.coloring));
    this.panels.forEach((p) => p.highlight(this.singled));
    this.drawLegend(looks);
    this.refresh();
  }

  private drawLegend(looks: Look[]) {
    const look = looks[this.panels.indexOf(this.active)];
    if (look.scale) {
      const colors = look.colors!.map(css).join(', ');
      this.legend.replaceChildren(el('span', {}, look.scale[0]),
        el('span', { class: 'ramp', style: `background:linear-gradient(90deg, ${colors})` }), el('span', {}, look.scale[1]));
      return;
    }
    this.legend.replaceChildren(...look.entries.map((entry, i) => el('button', { type: 'button',
      'aria-pressed': String(this.singled === i), click: () => {
        this.singled = this.singled === i ? -1 : i;
        this.panels.forEach((p) => p.highlight(this.singled));
        this.drawLegend(looks);
      } }, swatch(entry.color, entry.shape), name(entry.label))));
  }

  // ---- selection

  activate(run: number) {
    this.active = this.panels[run];
    this.refresh();
  }

  select(node: number, panel = this.active, reveal = false) {
    this.active = panel;
    this.node = node;
    this.group = null;
    this.refresh();
    if (reveal) this.related().forEach((p) => p.reveal(node));
  }

  // By its id; no such id selects nothing.
  find(id: string) {
    const d = this.active.data, node = d.ids ? d.ids.indexOf(id) : Number(id);
    if (node >= 0 && node < d.nodes) this.select(node, this.active, true);
  }

  private selectGroup(nodes: number[], panel: Panel) {
    this.active = panel;
    this.node = -1;
    this.group = nodes.length ? nodes : null;
    this.refresh();
  }

  private refresh() {
    const d = this.active.data, related = this.related(), node = this.node;
    const group = this.group ? new Set(this.group) : null;
    for (const p of this.panels) p.mark(related.includes(p) && (node >= 0 || group)
      ? { node, topology: node < 0 ? [] : listed(p.data.topology, node),
          features: node < 0 || !p.data.features ? [] : listed(p.data.features, node), group }
      : { node: -1, topology: [], features: [], group: null });
    const pick = (n: number) => this.select(n, this.active, true);
    this.card.replaceChildren(
      node >= 0 ? nodeCard(d, related.map((p) => p.run), this.active.run, node, pick)
      : this.group ? groupCard(d, this.active.run, this.group, pick)
      : el('p', { class: 'faint' }, 'Select a node: its class probabilities, the view that decided, and its ' +
           'neighbours in both graphs appear here. Lines lead to neighbours in the topology, dashes to those in the ' +
           'feature graph.'));
  }
}
