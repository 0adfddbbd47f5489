/**
 * @file The timeline: a row per depth, a bar per step, by the recorder's clock. Bars narrower than half a pixel are
 * merged with their neighbour.
 * @original
 */
import type { Projection } from "./projection.ts";

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export interface Bar {
  readonly step: number;
  readonly depth: number;
  /** Pixels. */
  readonly x: number;
  readonly width: number;
}

export function fullRange(p: Projection): TimeRange {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const i of p.steps) {
    const { start, end } = p.model.event(i);
    if (start < from) from = start;
    if (end > to) to = end;
  }
  return p.steps.length === 0 ? { from: 0, to: 1 } : { from, to: Math.max(to, from + 1) };
}

/** The bars to draw. A subtree outside the range, or too narrow to see, is skipped in one test. */
export function barsIn(p: Projection, range: TimeRange, pixels: number): Bar[] {
  const scale = pixels / (range.to - range.from);
  const bars: Bar[] = [];
  const drawnTo: number[] = []; // by depth: right end of the last bar
  for (let s = 0; s < p.steps.length; ) {
    const { start, end } = p.model.event(p.steps[s] as number);
    const depth = p.depth[s] as number;
    if (end < range.from || start > range.to) {
      s = p.end[s] as number;
      continue;
    }
    const left = Math.max((start - range.from) * scale, 0);
    const right = Math.min((end - range.from) * scale, pixels);
    const width = Math.max(right - left, 1);
    if (right - left < 0.5 && left < (drawnTo[depth] ?? -1) + 0.5) {
      s = p.end[s] as number;
      continue;
    }
    drawnTo[depth] = left + width;
    bars.push({ step: s, depth, x: left, width });
    s++;
  }
  return bars;
}

/** The range zoomed by `factor` around the time at `fraction` of its width, limited to `full`. */
export function zoom(range: TimeRange, full: TimeRange, factor: number, fraction: number): TimeRange {
  const width = Math.min(Math.max((range.to - range.from) * factor, (full.to - full.from) / 1e6), full.to - full.from);
  const pivot = range.from + (range.to - range.from) * fraction;
  return clamp({ from: pivot - width * fraction, to: pivot + width * (1 - fraction) }, full);
}

/** The range moved by a fraction of its own width. */
export function pan(range: TimeRange, full: TimeRange, fraction: number): TimeRange {
  const by = (range.to - range.from) * fraction;
  return clamp({ from: range.from + by, to: range.to + by }, full);
}

function clamp(range: TimeRange, full: TimeRange): TimeRange {
  const width = range.to - range.from;
  const from = Math.min(Math.max(range.from, full.from), full.to - width);
  return { from, to: from + width };
}

/** Times at which to put a tick: 1, 2 or 5 times a power of ten, about one each 110 pixels. */
export function ticks(range: TimeRange, pixels: number): number[] {
  const wanted = ((range.to - range.from) / Math.max(pixels, 1)) * 110;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const unit = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= wanted) ?? wanted;
  const out: number[] = [];
  for (let t = Math.ceil(range.from / unit) * unit; t <= range.to; t += unit) out.push(t);
  return out;
}
