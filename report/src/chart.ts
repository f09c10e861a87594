// Line charts as SVG, with a reading of the values under the pointer.

import { el, svg } from './dom';

export interface Series { label: string; color: number; dashed?: boolean; thin?: boolean; x: ArrayLike<number>; y: ArrayLike<number> }
export interface Chart {
  title: string; x: string; series: Series[];
  marks?: { x: number; label: string }[];
  xRange?: [number, number]; yRange?: [number, number]; square?: boolean; diagonal?: boolean; dots?: boolean;
}

const W = 460, H = 240, LEFT = 46, RIGHT = 10, TOP = 10, BOTTOM = 34;

// Round steps, about `wanted` of them.
function ticks(low: number, high: number, wanted: number): number[] {
  const raw = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw) ?? raw;
  const out = [];
  for (let t = Math.ceil(low / step) * step; t <= high + step * 1e-9; t += step) out.push(Math.abs(t) < step * 1e-9 ? 0 : t);
  return out;
}

const short = (v: number): string => Math.abs(v) >= 100 || Number.isInteger(v) ? String(Math.round(v))
  : v.toFixed(Math.abs(v) >= 10 ? 1 : Math.abs(v) >= 0.1 ? 2 : 4);

export function lineChart(c: Chart): HTMLElement {
  const all = c.series.flatMap((s) => Array.from(s.y)).filter(Number.isFinite);
  const xs = c.series.flatMap((s) => Array.from(s.x)).filter(Number.isFinite);
  const span = (v: number[]): [number, number] => {
    const low = Math.min(...v), high = Math.max(...v);
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  };
  const [x0, x1] = c.xRange ?? span(xs);
  let [y0, y1] = c.yRange ?? span(all);
  if (!c.yRange) { const pad = 0.04 * (y1 - y0); y0 = y0 >= 0 && y0 - pad < 0 ? 0 : y0 - pad; y1 += pad; }
  const height = c.square ? W - LEFT - RIGHT + TOP + BOTTOM : H;
  const X = (v: number) => LEFT + (v - x0) / (x1 - x0) * (W - LEFT - RIGHT);
  const Y = (v: number) => height - BOTTOM - (v - y0) / (y1 - y0) * (height - TOP - BOTTOM);
  const picture = svg('svg', { viewBox: `0 0 ${W} ${height}`, role: 'img', 'aria-label': `${c.title}: ` +
    c.series.filter((s) => !s.thin).map((s) => s.label).join(', ') });
  for (const t of ticks(y0, y1, 5)) picture.append(
    svg('line', { class: 'grid', x1: LEFT, x2: W - RIGHT, y1: Y(t), y2: Y(t) }),
    svg('text', { x: LEFT - 7, y: Y(t) + 4, 'text-anchor': 'end' }, short(t)));
  for (const t of ticks(x0, x1, 6)) picture.append(
    svg('text', { x: X(t), y: height - BOTTOM + 17, 'text-anchor': 'middle' }, short(t)));
  picture.append(svg('text', { x: W - RIGHT, y: height - 3, 'text-anchor': 'end', class: 'axis' }, c.x));
  if (c.diagonal) picture.append(svg('line', { class: 'diagonal', x1: X(x0), y1: Y(x0), x2: X(x1), y2: Y(x1) }));
  for (const m of c.marks ?? []) picture.append(
    svg('line', { class: 'chosen', x1: X(m.x), x2: X(m.x), y1: TOP, y2: height - BOTTOM }),
    svg('text', { class: 'axis', x: X(m.x) + (X(m.x) > W / 2 ? -5 : 5), y: TOP + 10,
                  'text-anchor': X(m.x) > W / 2 ? 'end' : 'start' }, m.label));
  for (const s of [...c.series].sort((a, b) => Number(b.thin ?? false) - Number(a.thin ?? false))) {
    let path = '', pen = false;
    for (let i = 0; i < s.x.length; ++i) {
      if (!Number.isFinite(s.y[i])) { pen = false; continue; }
      path += `${pen ? 'L' : 'M'}${X(s.x[i]).toFixed(1)} ${Y(s.y[i]).toFixed(1)}`;
      pen = true;
      if (c.dots) picture.append(svg('circle', { class: `dot tone-${s.color}`, cx: X(s.x[i]), cy: Y(s.y[i]), r: 4 }));
    }
    picture.append(svg('path', { class: `line tone-${s.color}${s.thin ? ' thin' : ''}${s.dashed ? ' dashed' : ''}`, d: path }));
  }
  const legend = el('p', { class: 'legend' });
  const cursor = svg('line', { class: 'cursor', y1: TOP, y2: height - BOTTOM, visibility: 'hidden' });
  picture.append(cursor);
  const read = (at: number | null) => legend.replaceChildren(...c.series.filter((s) => !s.thin).map((s) => {
    let text = s.label;
    if (at !== null) {
      let best = 0;
      for (let i = 0; i < s.x.length; ++i) if (Math.abs(s.x[i] - at) < Math.abs(s.x[best] - at)) best = i;
      if (Number.isFinite(s.y[best])) text += ` ${s.y[best].toFixed(Math.abs(s.y[best]) < 10 ? 3 : 1)}`;
    }
    return el('span', {}, el('span', { class: `key tone-${s.color}${s.dashed ? ' dashed' : ''}`, 'aria-hidden': 'true' }), text);
  }));
  read(null);
  const note = el('span', { class: 'faint' });
  picture.addEventListener('pointermove', (e) => {
    const box = picture.getBoundingClientRect();
    const at = Math.min(x1, Math.max(x0, x0 + ((e.clientX - box.left) / box.width * W - LEFT) / (W - LEFT - RIGHT) * (x1 - x0)));
    const value = c.dots ? at : Math.round(at);
    cursor.setAttribute('x1', String(X(value)));
    cursor.setAttribute('x2', String(X(value)));
    cursor.setAttribute('visibility', 'visible');
    note.textContent = ` ${c.x} ${short(value)}`;
    read(value);
  });
  picture.addEventListener('pointerleave', () => {
    cursor.setAttribute('visibility', 'hidden');
    note.textContent = '';
    read(null);
  });
  return el('figure', { class: 'chart' }, el('figcaption', {}, c.title, note), picture, legend);
}
