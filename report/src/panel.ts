// The map of one run: points, zoom, pan, hover, lasso, and lines from a node to its neighbours.

import { className, Data, idOf, probability, ROLES, Run } from './data';
import { calm, el, name } from './dom';
import { Coloring, css, isDark, Look } from './palette';
import { makeScatter, plainScatter, Points, Scatter, View } from './scatter';

export interface PanelEvents {
  pick(node: number): void;      // -1: none
  lasso(nodes: number[]): void;
}
export interface Marked { node: number; topology: number[]; features: number[]; group: Set<number> | null }

const TWEEN_MS = 700;
const dequantised = (coordinates: ArrayLike<number>): Float32Array => Float32Array.from(coordinates, (x) => x / 65535);

export class Panel {
  readonly root: HTMLElement;
  private stage: HTMLElement;
  private canvas: HTMLCanvasElement;
  private overlay: HTMLCanvasElement;
  private tip = el('div', { class: 'tip', hidden: true });
  private caption = el('span', { class: 'faint' });
  private scatter: Scatter;
  private points: Points;
  private look!: Look;
  private view: View = { x: 0.5, y: 0.5, scale: 1 };
  private fit = 1;
  private size = { width: 0, height: 0, density: 1 };
  private tween: { from: Float32Array; to: Float32Array; begin: number } | null = null;
  private shown = -1;
  private highlighted = -1;
  private marked: Marked = { node: -1, topology: [], features: [], group: null };
  private lassoPath: [number, number][] = [];
  private pending = 0;
  private pointers = new Map<number, [number, number]>();
  lassoMode = false;

  constructor(readonly run: Run, readonly data: Data, title: string | null, private events: PanelEvents) {
    this.canvas = el('canvas', { class: 'points', 'aria-hidden': 'true' });
    this.overlay = el('canvas', { class: 'overlay', tabindex: 0, role: 'application',
      'aria-label': `Map of the nodes, ${run.name}. Arrow keys pan, plus and minus zoom, 0 shows all. ` +
                    'Search finds a node by its id.' });
    this.stage = el('div', { class: 'stage' }, this.canvas, this.overlay, this.tip);
    this.root = el('figure', { class: 'panel' },
      el('figcaption', {}, title !== null && name(title), title !== null && ' ', this.caption), this.stage);
    const n = data.nodes;
    this.points = { coordinates: new Float32Array(2 * n), colors: [], shapes: [], kind: new Uint16Array(n),
      faint: new Uint8Array(n), order: Uint32Array.from({ length: n }, (_, i) => i), radius: 3 };
    this.scatter = makeScatter(this.canvas, () => {
      this.scatter = plainScatter(this.canvas);
      this.canvas = this.stage.querySelector('canvas.points')!;
      this.resize();
    });
    this.canvas = this.stage.querySelector('canvas.points') ?? this.canvas;
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.stage);
  }

  get backend() { return this.scatter.backend; }

  // ---- what is shown

  frameAt(epoch: number | 'chosen'): number {
    const frames = this.run.frames;
    if (epoch === 'chosen') return frames.findIndex((f) => f.chosen);
    let best = 0;
    frames.forEach((f, i) => { if (f.epoch <= epoch) best = i; });
    return best;
  }

  show(epoch: number | 'chosen') {
    const index = this.frameAt(epoch), frame = this.run.frames[index];
    const scored = this.run.curves[0], at = scored ? Array.from(scored.epoch).indexOf(frame.epoch) : -1;
    const score = at >= 0 && Number.isFinite(scored.val[at]) ? `, validation accuracy ${scored.val[at].toFixed(1)} %` : '';
    this.caption.textContent = `epoch ${frame.epoch}${frame.chosen ? ' (chosen)' : ''}${score}`;
    if (index === this.shown) return;
    const to = dequantised(frame.coordinates);
    if (this.shown < 0 || calm()) this.points.coordinates = to;
    else this.tween = { from: this.points.coordinates.slice(), to, begin: performance.now() };
    this.shown = index;
    this.redraw();
  }

  paint(coloring: Coloring) {
    this.look = coloring.look(this.data, this.run);
    this.points.colors = this.look.entries.map((e) => e.color);
    this.points.shapes = this.look.entries.map((e) => e.shape);
    this.points.kind = this.look.entryOf;
    this.push();
    return this.look;
  }

  highlight(entry: number) {
    this.highlighted = entry;
    this.push();
  }

  mark(marked: Marked) {
    this.marked = marked;
    this.push();
  }

  // Who is faint, and who lies on top.
  private push() {
    const { kind } = this.points, group = this.marked.group;
    this.points.faint = Uint8Array.from(kind, (k, i) =>
      (this.highlighted >= 0 && k !== this.highlighted) || (group !== null && !group.has(i)) ? 1 : 0);
    const faint = this.points.faint;
    this.points.order = Uint32Array.from({ length: kind.length }, (_, i) => i).sort((a, b) => faint[b] - faint[a] || a - b);
    this.redraw();
  }

  // ---- drawing

  private resize() {
    const box = this.stage.getBoundingClientRect();
    if (box.width === 0) return;
    const first = this.size.width === 0;
    this.size = { width: box.width, height: box.height, density: Math.min(devicePixelRatio || 1, 2) };
    for (const c of [this.canvas, this.overlay]) {
      c.width = Math.round(box.width * this.size.density);
      c.height = Math.round(box.height * this.size.density);
    }
    const before = this.fit;
    this.fit = 0.94 * Math.min(box.width, box.height);
    this.view.scale = first ? this.fit : this.view.scale * this.fit / before;
    this.drawNow();
  }

  redraw() {
    if (!this.pending) this.pending = requestAnimationFrame(() => { this.pending = 0; this.drawNow(); });
  }

  private drawNow() {
    if (this.size.width === 0) return;
    if (this.tween) {
      const { from, to, begin } = this.tween;
      const t = Math.min(1, (performance.now() - begin) / TWEEN_MS), eased = t * t * (3 - 2 * t);
      for (let i = 0; i < to.length; ++i) this.points.coordinates[i] = from[i] + (to[i] - from[i]) * eased;
      if (t === 1) this.tween = null;
      else this.redraw();
    }
    const { width, height, density } = this.size;
    const zoom = this.view.scale / this.fit;
    this.points.radius = Math.min(9, Math.max(1.5, Math.min(3.6, 170 / Math.sqrt(this.data.nodes))) * Math.pow(zoom, 0.4));
    this.scatter.draw(this.points, this.view, width, height, density);
    this.drawOverlay();
  }

  private screen(node: number): [number, number] {
    return [(this.points.coordinates[2 * node] - this.view.x) * this.view.scale + this.size.width / 2,
            (this.points.coordinates[2 * node + 1] - this.view.y) * this.view.scale + this.size.height / 2];
  }

  private drawOverlay() {
    const c = this.overlay.getContext('2d')!, { density } = this.size;
    c.setTransform(density, 0, 0, density, 0, 0);
    c.clearRect(0, 0, this.size.width, this.size.height);
    const ink = isDark() ? '#fff' : '#111';
    if (this.marked.node >= 0) {
      const [x, y] = this.screen(this.marked.node);
      for (const [nodes, dash] of [[this.marked.features, [3, 3]], [this.marked.topology, []]] as [number[], number[]][]) {
        c.setLineDash(dash);
        c.strokeStyle = ink;
        c.globalAlpha = 0.55;
        c.lineWidth = 1.2;
        c.beginPath();
        for (const other of nodes) {
          c.moveTo(x, y);
          c.lineTo(...this.screen(other));
        }
        c.stroke();
      }
      c.setLineDash([]);
      c.globalAlpha = 1;
      c.lineWidth = 2.4;
      c.beginPath();
      c.arc(x, y, this.points.radius + 4, 0, 2 * Math.PI);
      c.stroke();
    }
    if (this.lassoPath.length > 1) {
      c.beginPath();
      this.lassoPath.forEach(([x, y], i) => i ? c.lineTo(x, y) : c.moveTo(x, y));
      c.closePath();
      c.strokeStyle = ink;
      c.lineWidth = 1.2;
      c.stroke();
      c.globalAlpha = 0.07;
      c.fillStyle = ink;
      c.fill();
      c.globalAlpha = 1;
    }
  }

  // ---- moving

  zoomBy(factor: number, at?: [number, number]) {
    const [x, y] = at ?? [this.size.width / 2, this.size.height / 2];
    const scale = Math.min(200 * this.fit, Math.max(0.5 * this.fit, this.view.scale * factor));
    // The place under the pointer stays there.
    this.view.x += (x - this.size.width / 2) * (1 / this.view.scale - 1 / scale);
    this.view.y += (y - this.size.height / 2) * (1 / this.view.scale - 1 / scale);
    this.view.scale = scale;
    this.redraw();
  }

  reset() {
    this.view = { x: 0.5, y: 0.5, scale: this.fit };
    this.redraw();
  }

  // Brings a node into sight if it is not.
  reveal(node: number) {
    const [x, y] = this.screen(node);
    if (x > 20 && y > 20 && x < this.size.width - 20 && y < this.size.height - 20) return;
    this.view.x = this.points.coordinates[2 * node];
    this.view.y = this.points.coordinates[2 * node + 1];
    this.redraw();
  }

  private nearest(x: number, y: number): number {
    let best = -1, least = (this.points.radius + 6) ** 2;
    for (let i = 0; i < this.data.nodes; ++i) {
      const [px, py] = this.screen(i);
      const d = (px - x) ** 2 + (py - y) ** 2;
      if (d < least || (d === least && best >= 0 && this.points.faint[best])) { best = i; least = d; }
    }
    return best;
  }

  private inside(): number[] {
    const path = this.lassoPath, out: number[] = [];
    for (let i = 0; i < this.data.nodes; ++i) {
      const [x, y] = this.screen(i);
      let odd = false;
      for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
        const [ax, ay] = path[a], [bx, by] = path[b];
        if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) odd = !odd;
      }
      if (odd) out.push(i);
    }
    return out;
  }

  private hover(x: number, y: number) {
    const node = this.nearest(x, y);
    this.tip.hidden = node < 0;
    this.overlay.style.cursor = this.lassoMode ? 'crosshair' : node < 0 ? 'grab' : 'pointer';
    if (node < 0) return;
    const d = this.data, r = this.run, guess = r.predicted[node];
    this.tip.replaceChildren(
      el('b', {}, name(idOf(d, node))), el('br'), name(className(d, d.labels[node])), `, ${ROLES[r.roles[node]]}`,
      el('br'), 'predicted ', name(className(d, guess)), ` ${(100 * probability(r, d, node, guess)).toFixed(0)} %`);
    const [px, py] = this.screen(node);
    this.tip.style.left = `${Math.min(px + 12, this.size.width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${Math.max(4, py - this.tip.offsetHeight - 8)}px`;
  }

  private listen() {
    const o = this.overlay;
    const at = (e: PointerEvent | WheelEvent): [number, number] => {
      const box = o.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    };
    let moved = 0;
    o.addEventListener('pointerdown', (e) => {
      o.setPointerCapture(e.pointerId);
      this.pointers.set(e.pointerId, at(e));
      moved = 0;
      if (this.lassoMode || e.shiftKey) this.lassoPath = [at(e)];
    });
    o.addEventListener('pointermove', (e) => {
      const before = this.pointers.get(e.pointerId), now = at(e);
      if (!before) return this.hover(...now);
      const dx = now[0] - before[0], dy = now[1] - before[1];
      moved += Math.abs(dx) + Math.abs(dy);
      if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== e.pointerId)![1];
        const apart = (p: number[]) => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
        this.zoomBy(apart(now) / apart(before), other);
      } else if (this.lassoPath.length) {
        this.lassoPath.push(now);
      } else {
        this.view.x -= dx / this.view.scale;
        this.view.y -= dy / this.view.scale;
        this.tip.hidden = true;
      }
      this.pointers.set(e.pointerId, now);
      this.redraw();
    });
    o.addEventListener('pointerup', (e) => {
      const now = at(e);
      this.pointers.delete(e.pointerId);
      if (this.lassoPath.length > 2 && moved > 8) this.events.lasso(this.inside());
      else if (moved < 5) this.events.pick(this.nearest(...now));
      this.lassoPath = [];
      this.redraw();
    });
    o.addEventListener('pointercancel', (e) => { this.pointers.delete(e.pointerId); this.lassoPath = []; });
    o.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    // Without focus the wheel scrolls the page, as it does everywhere else.
    o.addEventListener('wheel', (e) => {
      if (document.activeElement !== o && !e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      this.zoomBy(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0016)), at(e));
    }, { passive: false });
    o.addEventListener('keydown', (e) => {
      const step = 60 / this.view.scale;
      const keys: Record<string, () => void> = {
        ArrowLeft: () => { this.view.x -= step; }, ArrowRight: () => { this.view.x += step; },
        ArrowUp: () => { this.view.y -= step; }, ArrowDown: () => { this.view.y += step; },
        '+': () => this.zoomBy(1.25), '=': () => this.zoomBy(1.25), '-': () => this.zoomBy(0.8),
        '0': () => this.reset(), Escape: () => this.events.pick(-1),
      };
      if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      keys[e.key]();
      this.redraw();
    });
  }

  // For tests and for scripts of one's own: where a node is on the screen now.
  placeOf(node: number) {
    const box = this.overlay.getBoundingClientRect(), [x, y] = this.screen(node);
    return { x: box.left + x, y: box.top + y };
  }
  get moving() { return this.tween !== null; }
}

export const swatch = (color: [number, number, number], shape: number): HTMLElement =>
  el('span', { class: `swatch shape-${shape}`, style: `--c:${css(color)}`, 'aria-hidden': 'true' });
