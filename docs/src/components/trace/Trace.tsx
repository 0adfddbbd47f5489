/**
 * @file `<Trace of="prelu" record="forward" />`: a recorded call as a figure one can step through. The figure is in the page's HTML; the
 * whole recording, with every view, is loaded when the reader asks for it.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Program } from "../TwoWays";
import type { Figure } from "./figure_types";
import { addressOf, type Linked, nameOf, useLinked } from "./links";
import { stepNamed } from "./moves";
import { Stepper } from "./Stepper";

const Whole = lazy(() => import("./Whole"));

export interface TraceProps {
  readonly figure?: Figure;
  /** A second recording, for the comparison in the full viewer. */
  readonly other?: Figure;
  /** Which step to stand on: a number, or the beginning of a step's name. */
  readonly step?: string | number;
  /** Which view the full viewer opens with. */
  readonly view?: "elevator" | "tree" | "timeline" | "graph" | "compare";
  /** Id of the first step that differs from the other recording, and how. */
  readonly parts?: string;
  readonly words?: string;
  /** Head of the figure; otherwise the recording's own. */
  readonly title?: string;
}

export function Trace({ figure, other, step, view, title, parts, words }: TraceProps): ReactNode {
  const [whole, setWhole] = useState(false);
  const [at, setAt] = useState(() => position(figure, step));
  const traces = useBaseUrl("/generated/traces/");
  const [linked, setLinked] = useState<Linked | null>(null);
  // Opening and closing take away the button that was pressed: the focus goes on to what stands in its place.
  const box = useRef<HTMLElement>(null);
  const closed = useRef(false);
  const follow = useCallback(
    (to: Linked) => {
      const found = figure?.steps.findIndex((each) => each.id === to.step) ?? -1;
      if (found !== -1) setAt(found);
      setLinked(to);
      // What the small figure has not got, another view or a deeper step, the whole recording has.
      setWhole(to.view !== null || found === -1);
      requestAnimationFrame(() => box.current?.scrollIntoView({ block: "start" }));
    },
    [figure],
  );
  useLinked(figure === undefined ? null : nameOf(figure), follow);
  useEffect(() => {
    if (whole) box.current?.focus();
  }, [whole]);
  if (figure === undefined) return null;
  const address = (f: Figure): string => `${traces}${f.of}/${f.record}.json`;
  const close = (
    <button
      type="button"
      className="gtv-button"
      onClick={() => {
        closed.current = true;
        setLinked(null);
        setWhole(false);
      }}
    >
      Close
    </button>
  );
  if (whole)
    return (
      <section className="trace trace-whole" ref={box} tabIndex={-1} aria-label="The whole recording">
        <Suspense fallback={<p className="trace-loading">Loading the recording…</p>}>
          <Whole
            title={title ?? figure.title}
            address={address(figure)}
            other={other === undefined ? undefined : { title: other.title, address: address(other) }}
            step={linked?.step ?? figure.steps[at]?.id}
            view={linked?.view ?? view}
            name={nameOf(figure)}
            actions={close}
          />
        </Suspense>
      </section>
    );
  const parting = parts === undefined ? -1 : figure.steps.findIndex((each) => each.id === Number(parts));
  return (
    <Stepper
      ref={box}
      figure={figure}
      link={(s) => addressOf({ name: nameOf(figure), step: figure.steps[s]?.id ?? 0, view: null })}
      program={
        figure.program === undefined ? undefined : <Program className="trace-program" program={figure.program} />
      }
      mark={parting === -1 ? undefined : { step: parting, words: words ?? "" }}
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
        <>
          {parting !== -1 && (
            <button type="button" className="trace-button" onClick={() => setAt(parting)}>
              First difference
            </button>
          )}
          <button
            type="button"
            className="trace-button"
            ref={(button) => {
              if (closed.current && button !== null) {
                closed.current = false;
                button.focus();
              }
            }}
            onClick={() => setWhole(true)}
          >
            {other === undefined ? "Open everything" : "Open both"}
          </button>
        </>
      }
    />
  );
}

/** The position of a step given by number (from 1) or by name; the page was compiled only if there is one. */
function position(figure: Figure | undefined, wanted: string | number | undefined): number {
  if (figure === undefined || wanted === undefined) return 0;
  return /^\d+$/.test(String(wanted)) ? Number(wanted) - 1 : Math.max(stepNamed(figure.steps, String(wanted)), 0);
}
