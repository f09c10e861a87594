// Colours of nodes. Classes have seven colours that colour-blind people can tell apart (Okabe and
// Ito, darkened for white paper) and, from the eighth class on, another shape: 21 classes differ.

import { className, Data, kUnlabelled, ROLES, Run } from './data';

export type Rgb = [number, number, number];
export const SHAPES = ['circle', 'square', 'triangle'] as const;

const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c7a00'];
const DARK = ['#4ba6e0', '#f0793a', '#1fc79a', '#e29cc4', '#f2b233', '#9bd7fb', '#f0e442'];

export const isDark = (): boolean => document.documentElement.dataset.theme === 'dark';
const rgb = (hex: string): Rgb => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)) as Rgb;
export const css = (c: Rgb): string => `rgb(${c[0]} ${c[1]} ${c[2]})`;
const mixed = (a: Rgb, b: Rgb, t: number): Rgb => a.map((x, i) => Math.round(x + (b[i] - x) * t)) as Rgb;

export const color = (i: number): Rgb => rgb((isDark() ? DARK : LIGHT)[i % 7]);
export const grey = (): Rgb => rgb(isDark() ? '#7d858f' : '#8a9099');
export const classColor = (c: number): Rgb => c === kUnlabelled ? grey() : color(c);
export const classShape = (c: number): number => c === kUnlabelled ? 0 : Math.floor(c / 7) % SHAPES.length;

export interface Entry { label: string; color: Rgb; shape: number }
// How nodes look under one way of colouring: each belongs to an entry of the legend, or, on a scale,
// has a colour of its own.
export interface Look { entries: Entry[]; entryOf: Uint16Array; scale: [string, string] | null; colors: Rgb[] | null }
export interface Coloring { key: string; title: string; needs?: (r: Run) => boolean; look: (d: Data, r: Run) => Look }

function byEntry(d: Data, entries: Entry[], entryOf: (node: number) => number): Look {
  return { entries, entryOf: Uint16Array.from({ length: d.nodes }, (_, i) => entryOf(i)), scale: null, colors: null };
}

function byClass(d: Data, classOf: (node: number) => number): Look {
  const entries: Entry[] = d.classes.map((label, c) => ({ label, color: classColor(c), shape: classShape(c) }));
  const of = (i: number) => classOf(i) === kUnlabelled ? d.classes.length : classOf(i);
  if (Array.from({ length: d.nodes }, (_, i) => i).some((i) => of(i) === d.classes.length))
    entries.push({ label: className(d, kUnlabelled), color: grey(), shape: 0 });
  return byEntry(d, entries, of);
}

function byScale(d: Data, ends: [string, string], low: Rgb, middle: Rgb, high: Rgb, at: (node: number) => number): Look {
  const steps = 32;
  const colors = Array.from({ length: steps + 1 }, (_, i) => {
    const t = i / steps;
    return t < 0.5 ? mixed(low, middle, 2 * t) : mixed(middle, high, 2 * t - 1);
  });
  const entryOf = Uint16Array.from({ length: d.nodes }, (_, i) => Math.round(at(i) * steps));
  return { entries: colors.map((c) => ({ label: '', color: c, shape: 0 })), entryOf, scale: ends, colors };
}

export const COLORINGS: Coloring[] = [
  { key: 'class', title: 'true class', look: (d) => byClass(d, (i) => d.labels[i]) },
  { key: 'predicted', title: 'predicted class', look: (d, r) => byClass(d, (i) => r.predicted[i]) },
  { key: 'right', title: 'right or wrong', look: (d, r) => byEntry(d, [
      { label: 'right', color: color(0), shape: 0 }, { label: 'wrong', color: color(1), shape: 2 },
      { label: 'no label', color: grey(), shape: 0 }],
    (i) => d.labels[i] === kUnlabelled ? 2 : d.labels[i] === r.predicted[i] ? 0 : 1) },
  { key: 'role', title: 'part in training', look: (d, r) => byEntry(d,
      ROLES.map((label, i) => ({ label, color: i === 0 ? grey() : color([0, 1, 4, 0][i]), shape: [0, 2, 1, 0][i] })),
      (i) => r.roles[i]) },
  { key: 'confidence', title: 'probability of the prediction', look: (d, r) => {
      const ends: Rgb[] = isDark() ? [rgb('#f2b233'), rgb('#8f7fb0'), rgb('#3f6fd0')]
                                   : [rgb('#e69f00'), rgb('#9a86a8'), rgb('#123a8c')];
      return byScale(d, ['0 %', '100 %'], ends[0], ends[1], ends[2],
                     (i) => r.probabilities[i * d.classes.length + r.predicted[i]] / 65535);
    } },
  { key: 'view', title: 'view that decided', needs: (r) => !!r.views?.share, look: (d, r) =>
      byScale(d, ['features', 'topology'], color(1), grey(), color(0), (i) => r.views!.share![i] / 255) },
  { key: 'agreement', title: 'views agree on the prototype', needs: (r) => !!r.views, look: (d, r) => byEntry(d, [
      { label: 'agree', color: color(0), shape: 0 }, { label: 'differ', color: color(1), shape: 2 }],
    (i) => r.views!.nearest[0][i] === r.views!.nearest[1][i] ? 0 : 1) },
];
