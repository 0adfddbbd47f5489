/**
 * @file `<Trace of="prelu" record="forward" />`: a recorded call as a figure one can step through. The figure is in the page's HTML; the
 * whole recording, with every view, is loaded when the reader asks for it.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Stepper } from "./Stepper";
import type { Figure } from "./figure_types";

const Whole = lazy(() => import("./Whole"));

export interface TraceProps {
  readonly figure?: Figure;
  /** A second recording, for the comparison in the full viewer. */
  readonly other?: Figure;
  /** Which step to stand on: a number, or the beginning of a step's name. */
  readonly step?: string | number;
  /** Which view the full viewer opens with. */
  readonly view?: "elevator" | "tree" | "timeline" | "graph" | "compare";
  /** Head of the figure; otherwise the recording's own. */
  readonly title?: string;
}

export function Trace({ figure, other, step, view, title }: TraceProps): ReactNode {
  const [whole, setWhole] = useState(false);
  const [at, setAt] = useState(() => stepNamed(figure, step));
  const traces = useBaseUrl("/generated/traces/");
  if (figure === undefined) return null;
  const address = (f: Figure): string => `${traces}${f.of}/${f.record}.json`;
  const close = (
    <button type="button" className="gtv-button" onClick={() => setWhole(false)}>
      Close
    </button>
  );
  if (whole)
    return (
      <div className="trace trace-whole">
        <Suspense fallback={<p className="trace-loading">Loading the recording…</p>}>
          <Whole
            title={title ?? figure.title}
            address={address(figure)}
            other={other === undefined ? undefined : { title: other.title, address: address(other) }}
            step={figure.steps[at]?.id}
            view={view}
            actions={close}
          />
        </Suspense>
      </div>
    );
  return (
    <Stepper
      figure={figure}
      step={at}
      onStep={setAt}
      head={
        <>
          <b>{title ?? figure.title}</b>
          <span>
            {figure.note === "" ? "" : `${figure.note} · `}
            {figure.count} steps
          </span>
        </>
      }
      actions={
        <button type="button" className="trace-button" onClick={() => setWhole(true)}>
          {other === undefined ? "Open everything" : "Compare and open everything"}
        </button>
      }
    />
  );
}

/** The position of a step given by number (from 1) or by the beginning of its name. */
export function stepNamed(figure: Figure | undefined, wanted: string | number | undefined): number {
  if (figure === undefined || wanted === undefined) return 0;
  if (/^\d+$/.test(String(wanted))) return Math.min(Number(wanted), figure.steps.length) - 1;
  const words = String(wanted);
  const found = figure.steps.findIndex((s) => s.name.startsWith(words) || s.short.startsWith(words) || s.name.endsWith(words));
  return Math.max(found, 0);
}
