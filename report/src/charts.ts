// The curves of a training, and its calibration.

import { Curve, Run } from './data';
import { Chart, lineChart, Series } from './chart';

const present = (c: Curve, key: keyof Curve): boolean => Array.from(c[key] as ArrayLike<number>).some(Number.isFinite);

// One line per kind for the seed of the model; the other seeds lie faintly behind it.
function series(run: Run, kinds: [keyof Curve, string, number, boolean?][]): Series[] {
  return run.curves.flatMap((c) => kinds.filter(([key]) => present(c, key)).map(([key, label, color, dashed]) => ({
    label, color, dashed, thin: c.seed !== run.seed, x: c.epoch, y: c[key] as ArrayLike<number> })));
}

export function curveCharts(run: Run): HTMLElement[] {
  const marks = [{ x: run.best_epoch, label: `chosen: ${run.best_epoch}` }];
  const charts: [Chart['title'], [keyof Curve, string, number, boolean?][], boolean][] = [
    ['Loss', [['loss', 'training loss', 0], ['val_loss', 'negative log-likelihood, validation', 1]], false],
    ['Accuracy, percent', [['train', 'training', 0], ['val', 'validation', 1], ['test', 'test (shown, never used to choose)', 2, true]], true],
    ['Consensus: nodes with the same prototype in both views, percent', [['agreement', 'agreement', 3]], true],
  ];
  return charts.flatMap(([title, kinds, bounded]) => {
    const lines = series(run, kinds);
    if (!lines.length) return [];
    const low = Math.min(...lines.flatMap((s) => Array.from(s.y)).filter(Number.isFinite));
    return [lineChart({ title, x: 'epoch', series: lines, marks,
                        yRange: bounded ? [Math.max(0, Math.min(90, Math.floor(low / 10) * 10)), 100] : undefined })];
  });
}

export function calibrationChart(run: Run): HTMLElement {
  const bins = run.calibration.filter((b) => b.nodes > 0);
  return lineChart({ title: 'Accuracy over probability, percent', x: 'probability', square: true, diagonal: true, dots: true,
    xRange: [0, 100], yRange: [0, 100],
    series: [{ label: 'accuracy', color: 0, x: bins.map((b) => b.confidence), y: bins.map((b) => b.accuracy) }] });
}
