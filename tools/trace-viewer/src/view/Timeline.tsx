/**
 * @file The timeline on a canvas: a row per depth, a bar per call. Wheel or + and − zoom, dragging pans, a click
 * selects a step. The same steps are in the tree, to which screen readers are directed.
 * @original
 */
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { lanes } from "../../../../src/trace/event.ts";
import { duration, label } from "../model/label.ts";
import { type Bar, barsIn, fullRange, pan, type TimeRange, ticks, zoom } from "../model/timeline.ts";
import type { StageProps } from "./Elevator.tsx";
import { laneClass } from "./Layers.tsx";
import { useWidth } from "./screen.ts";
import { useTheme } from "./theme.ts";

const rowHeight = 21;
const axis = 24;

export function Timeline({ projection, step, onStep }: StageProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const swatches = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; range: TimeRange; moved: boolean } | null>(null);
  const width = useWidth(box);
  const theme = useTheme();
  const full = useMemo(() => fullRange(projection), [projection]);
  const [chosen, setRange] = useState<TimeRange | null>(null);
  const range = chosen ?? full;
  const bars = useMemo(() => (width === 0 ? [] : barsIn(projection, range, width)), [projection, range, width]);
  const height = useMemo(
    () => axis + (projection.depth.reduce((deepest, d) => Math.max(deepest, d), 0) + 1) * rowHeight + 8,
    [projection],
  );

  // A step selected elsewhere is scrolled into view.
  useEffect(() => {
    const { start, end } = projection.model.event(projection.steps[step] as number);
    setRange((now) =>
      now === null || (end >= now.from && start <= now.to)
        ? now
        : pan(now, full, (start - now.from) / (now.to - now.from) - 0.3),
    );
    const top = axis + (projection.depth[step] as number) * rowHeight;
    const element = box.current;
    if (
      element !== null &&
      (top < element.scrollTop + axis || top > element.scrollTop + element.clientHeight - rowHeight)
    )
      element.scrollTop = top - element.clientHeight / 2;
  }, [projection, step, full]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of theme changes the colours read below
  useEffect(() => {
    if (canvas.current !== null && swatches.current !== null && width > 0)
      draw(canvas.current, swatches.current, { projection, step, bars, range, full, width, height });
  }, [projection, step, bars, range, full, width, height, theme]);

  // React's wheel listeners are passive; this one must keep the page from scrolling while it zooms.
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX) && !event.metaKey)
        return;
      event.preventDefault();
      const fraction = event.offsetX / element.clientWidth;
      setRange((now) =>
        event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
          ? pan(now ?? full, full, (event.deltaX + event.deltaY) / 1200)
          : zoom(now ?? full, full, Math.exp(event.deltaY / 300), fraction),
      );
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [full]);

  const onPointerMove = (event: PointerEvent): void => {
    const from = drag.current;
    if (from === null || width === 0) return;
    if (Math.abs(event.clientX - from.x) > 3) from.moved = true;
    if (from.moved) setRange(pan(from.range, full, (from.x - event.clientX) / width));
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>): void => {
    const moved = drag.current?.moved === true;
    drag.current = null;
    if (moved) return;
    const hit = barAt(bars, event.nativeEvent.offsetX, event.nativeEvent.offsetY);
    if (hit !== null) onStep(hit.step);
  };

  return (
    <div className="gtv-timeline">
      <div ref={box} className="gtv-canvas-box">
        <canvas
          ref={canvas}
          role="img"
          aria-label="Timeline of the recording. The same steps stand in the tree."
          style={{ width, height }}
          onPointerDown={(event) => {
            drag.current = { x: event.clientX, range, moved: false };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
        />
        <div ref={swatches} hidden>
          {lanes.map((lane) => (
            <i key={lane} className={laneClass(lane)} />
          ))}
          <i className="gtv-swatch-ink" />
          <i className="gtv-swatch-soft" />
          <i className="gtv-swatch-line" />
          <i className="gtv-swatch-flame" />
          <i className="gtv-swatch-fill-ink" />
        </div>
      </div>
      <div className="gtv-zoom" role="group" aria-label="Zoom">
        <button type="button" aria-label="Earlier" onClick={() => setRange(pan(range, full, -0.4))}>
          ‹
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => setRange(zoom(range, full, 1.8, 0.5))}>
          −
        </button>
        <button type="button" aria-label="Fit the whole recording" onClick={() => setRange(null)}>
          fit
        </button>
        <button
          type="button"
          aria-label="Zoom in"
          onClick={() =>
            setRange(
              zoom(
                range,
                full,
                1 / 1.8,
                pivotOf(projection.model.event(projection.steps[step] as number).start, range),
              ),
            )
          }
        >
          +
        </button>
        <button type="button" aria-label="Later" onClick={() => setRange(pan(range, full, 0.4))}>
          ›
        </button>
      </div>
    </div>
  );
}

/** The point that stays fixed when zooming in: the current step, if it is in view. */
function pivotOf(start: number, range: TimeRange): number {
  const fraction = (start - range.from) / (range.to - range.from);
  return fraction >= 0 && fraction <= 1 ? fraction : 0.5;
}

function barAt(bars: readonly Bar[], x: number, y: number): Bar | null {
  const depth = Math.floor((y - axis) / rowHeight);
  let nearest: Bar | null = null;
  for (const bar of bars) if (bar.depth === depth && x >= bar.x - 2 && x <= bar.x + bar.width + 2) nearest = bar;
  return nearest;
}

interface Scene extends Pick<StageProps, "projection" | "step"> {
  readonly bars: readonly Bar[];
  readonly range: TimeRange;
  readonly full: TimeRange;
  readonly width: number;
  readonly height: number;
}

function draw(canvas: HTMLCanvasElement, swatches: HTMLElement, scene: Scene): void {
  const { projection, step, bars, range, full, width, height } = scene;
  const colors = [...swatches.children].map((element) => getComputedStyle(element).color);
  const [ink, soft, line, flame, fillInk] = colors.slice(lanes.length) as [string, string, string, string, string];
  const density = devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const g = canvas.getContext("2d") as CanvasRenderingContext2D;
  g.scale(density, density);
  g.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  g.textBaseline = "middle";
  g.fillStyle = soft;
  g.strokeStyle = line;
  for (const t of ticks(range, width)) {
    const x = Math.round(((t - range.from) / (range.to - range.from)) * width) + 0.5;
    g.beginPath();
    g.moveTo(x, 16);
    g.lineTo(x, height);
    g.stroke();
    g.fillText(duration(t - full.from), x + 4, 10);
  }
  const way = new Set<number>();
  for (let at = step; at !== -1; at = projection.parent[at] as number) way.add(at);
  for (const { step: s, depth, x, width: w } of bars) {
    const i = projection.steps[s] as number;
    const y = axis + depth * rowHeight;
    g.fillStyle = colors[projection.model.lane[i] as number] as string;
    g.globalAlpha = way.has(s) ? 1 : 0.24;
    g.beginPath();
    g.roundRect(x, y, Math.max(w - 1, 1), rowHeight - 3, Math.min(4, w / 2));
    g.fill();
    g.globalAlpha = 1;
    if (s === step) {
      g.strokeStyle = flame;
      g.lineWidth = 2;
      g.stroke();
      g.lineWidth = 1;
    }
    if (w < 34) continue;
    g.save();
    g.beginPath();
    g.rect(x, y, w - 4, rowHeight);
    g.clip();
    g.fillStyle = way.has(s) ? fillInk : ink;
    g.fillText(label(projection.model.event(i)), x + 6, y + rowHeight / 2 - 1);
    g.restore();
  }
}
