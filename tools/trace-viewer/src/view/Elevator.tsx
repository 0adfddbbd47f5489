/**
 * @file The elevator view: lanes of the layers, a bar for every call, the path to the current step in full colour, and
 * a moving cab. It draws only what is on screen, so that a long recording scrolls as fast as a short one.
 * @original
 */
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { type Elevator as Layout, layOut, stepsBetween } from "../model/elevator.ts";
import { duration, label } from "../model/label.ts";
import type { Projection } from "../model/projection.ts";
import { laneClass } from "./Layers.tsx";
import { calm, useWidth } from "./screen.ts";

export interface StageProps {
  readonly projection: Projection;
  readonly step: number;
  readonly onStep: (step: number) => void;
}

const rowHeight = 27;
const lanePadding = 6;
const barHeight = 22;
/** Bars are drawn again each time this many pixels have been scrolled, with that margin beyond both edges. */
const strip = 300;

export function Elevator({ projection, step, onStep }: StageProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const layout = useMemo(() => layOut(projection), [projection]);
  const [left, setLeft] = useState(0);
  const [zoom, setZoom] = useState<number | null>(null);

  const gutter = width < 640 ? 0 : 112;
  const room = Math.max(width - gutter - 14, 100);
  const total = layout.x[projection.steps.length] as number;
  const fit = room / total;
  // The whole path fits, as long as its bars can be distinguished.
  const scale = zoom ?? (fit > 0.25 ? Math.min(fit, 1.5) : width < 640 ? 0.8 : 1);
  // If there is no room for a column of names, each lane has its name above its bars.
  const head = gutter === 0 ? 17 : 0;
  const tops = useMemo(() => laneTops(layout, head), [layout, head]);
  const height = tops[tops.length - 1] as number;

  const rect = (s: number): { x: number; y: number; w: number } => ({
    x: (layout.x[s] as number) * scale,
    y: (tops[layout.lane[s] as number] as number) + head + lanePadding + (layout.row[s] as number) * rowHeight,
    w: ((layout.x[layout.end[s] as number] as number) - (layout.x[s] as number)) * scale,
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null || width === 0) return;
    const x = (layout.x[step] as number) * scale;
    const from = element.scrollLeft;
    if (x >= from + 4 && x <= from + room * 0.72) return;
    const to = Math.max(x - room * 0.25, 0);
    element.scrollTo({ left: to, behavior: calm() || Math.abs(to - from) > room * 3 ? "instant" : "smooth" });
  }, [step, layout, scale, room, width]);

  const way = new Set<number>();
  for (let at = step; at !== -1; at = projection.parent[at] as number) way.add(at);
  const visible =
    width === 0 ? [] : stepsBetween(projection, layout, (left - strip) / scale, (left + room + strip) / scale);
  const cab = rect(step);

  return (
    <div className="gtv-elevator">
      <div
        ref={scroller}
        className="gtv-shaft"
        onScroll={(event) => setLeft(Math.round(event.currentTarget.scrollLeft / strip) * strip)}
        style={{ "--gutter": `${gutter}px` } as object}
      >
        <div className="gtv-floors" style={{ width: gutter + Math.max(total * scale, room) + 8, height }}>
          {layout.lanes.map(({ lane }, i) => (
            <div
              key={lane}
              className={`gtv-floor ${laneClass(lane)}`}
              style={{ top: tops[i], height: (tops[i + 1] as number) - (tops[i] as number) }}
            >
              <b>{lane}</b>
            </div>
          ))}
          <div className="gtv-bars" role="group" aria-label="Calls by layer">
            <Cable points={[...way].reverse().map(rect)} height={height} width={Math.max(total * scale, 1)} />
            <div
              className="gtv-cab"
              style={{
                transform: `translate(${cab.x}px, ${cab.y}px)`,
                width: Math.max(cab.w - 2, 8),
                height: barHeight,
              }}
            />
            {visible.map((s) => {
              const { x, y, w } = rect(s);
              const i = projection.steps[s] as number;
              const event = projection.model.event(i);
              const text = label(event);
              return (
                <button
                  key={i}
                  type="button"
                  className={`gtv-call ${laneClass(projection.model.laneAt(i))}${way.has(s) ? " gtv-on-way" : ""}${event.error === undefined ? "" : " gtv-failed"}`}
                  style={{ left: x, top: y, width: Math.max(w - 2, 4) }}
                  title={`${event.name}\n${projection.model.laneAt(i)} · ${duration(Math.max(event.end - event.start, 0))}`}
                  aria-label={`${text}, ${projection.model.laneAt(i)}`}
                  aria-current={s === step ? "step" : undefined}
                  tabIndex={s === step ? 0 : -1}
                  onClick={() => onStep(s)}
                >
                  {w > 26 && <span>{text}</span>}
                </button>
              );
            })}
          </div>
        </div>
      </div>
      <div className="gtv-zoom" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom out" onClick={() => setZoom(Math.max(scale / 1.4, 0.02))}>
          −
        </button>
        <button type="button" aria-label="Fit the whole way" onClick={() => setZoom(Math.max(fit, 0.02))}>
          fit
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => setZoom(Math.min(scale * 1.4, 4))}>
          +
        </button>
      </div>
    </div>
  );
}

/** Top of each lane, and at the end the bottom of all. */
function laneTops(layout: Layout, head: number): number[] {
  const tops = [0];
  for (const { rows } of layout.lanes)
    tops.push((tops[tops.length - 1] as number) + rows * rowHeight + lanePadding + head);
  return tops;
}

/**
 * The line on which the cab hangs: from the first caller right along its bar, down to the next, and so on to the current step.
 */
function Cable({
  points,
  width,
  height,
}: {
  readonly points: readonly { x: number; y: number }[];
  readonly width: number;
  readonly height: number;
}): ReactNode {
  let path = "";
  points.forEach(({ x, y }, k) => {
    const middle = y + barHeight / 2;
    path += k === 0 ? `M${x + 3} ${middle}` : `H${x + 3}V${middle}`;
  });
  return (
    <svg className="gtv-cable" width={width} height={height} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
