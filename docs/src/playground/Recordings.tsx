/**
 * @file The recordings of a run in the viewer; beside each, if the program was changed, what the unchanged one recorded.
 * @original
 */
import { type Place, parsePlace, type TraceModel, TraceViewer } from "@glasstorch/trace-viewer";
import "@glasstorch/trace-viewer/style.css";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Shown } from "./session.ts";

interface RecordingsProps {
  readonly recordings: readonly Shown[];
  readonly loadSource: (path: string) => Promise<string>;
  readonly onEdit: (file: string, line: number) => void;
  /** The address of the program, its edits and a place in its recording. */
  readonly linkTo: (name: string, place: Place) => Promise<string>;
  readonly changed: boolean;
  /** Whether the library was. */
  readonly edited: boolean;
  /** Whether an error ended the run. */
  readonly failed: boolean;
  /** Whether values were recorded. */
  readonly values: boolean;
  /** The event that the reader asked for in the program; a new object goes there. */
  readonly goTo?: { readonly step: number } | null;
}

export default function Recordings(props: RecordingsProps): ReactNode {
  const { recordings } = props;
  const [wanted, setWanted] = useState<string | null>(() => linkedRecording());
  const order = useMemo(
    () => [...recordings.filter((r) => !r.quiet), ...recordings.filter((r) => r.quiet)],
    [recordings],
  );
  const shown = order.find((r) => r.name === wanted) ?? order[0];
  if (shown === undefined) return null;
  return (
    <div className="pg-recordings">
      {order.length > 1 && (
        <div className="pg-tabs" role="group" aria-label="Recordings">
          {order.map((recording) => (
            <button
              key={recording.name}
              type="button"
              aria-pressed={recording === shown}
              onClick={() => setWanted(recording.name)}
            >
              {recording.name}
              {recording.change !== null && <span className="pg-dot" title="differs from the unchanged program" />}
            </button>
          ))}
        </div>
      )}
      <One key={`${shown.name} ${shown.model.serial}`} shown={shown} {...props} />
    </div>
  );
}

/** The step that an address with a program names, to be shown once the program has run. */
function linkedStep(): Place | null {
  const place = parsePlace(location.hash);
  return /(^#|&)try=/.test(location.hash) && place.step !== null ? place : null;
}

const linkedRecording = (): string | null => linkedStep()?.trace ?? null;

function One(props: RecordingsProps & { readonly shown: Shown }): ReactNode {
  const { shown, changed, edited, failed, values, loadSource, onEdit, linkTo, goTo = null } = props;
  const { model, title, note, other, change } = shown;
  const here = useRef<Place | null>(null);
  const [place, setPlace] = useState<Place>(() => ({
    trace: null,
    step: linkedStep()?.step ?? (failed ? raisedAt(model) : null) ?? change?.step ?? null,
    view: linkedStep()?.view ?? "elevator",
    hidden: [],
  }));
  const go = (step: number | null, view: Place["view"]) =>
    setPlace({ trace: null, step, view, hidden: here.current?.hidden ?? [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the reader asks for it
  useEffect(() => {
    if (goTo !== null) go(goTo.step, here.current?.view ?? "elevator");
  }, [goTo]);
  const onPlace = useCallback((at: Place) => {
    here.current = at;
  }, []);
  const edit = (): void => {
    const event = model.events.find((e) => e.id === here.current?.step);
    if (event?.source !== undefined) onEdit(event.source.file, event.source.line);
  };
  return (
    <>
      {changed && other !== null && (
        <p className="pg-change" role="status">
          {change === null ? (
            <>
              Every step is the same as {edited ? "on the unchanged library" : "in the unchanged program"}.
              {values ? " The values are the same, too." : " To compare values, switch “values” on and run again."}
            </>
          ) : (
            <>
              <b>First step that changed</b>
              {change.step === null ? " (past the end)" : ` (step ${change.step + 1})`}: <code>{change.what}</code>
              {change.step !== null && (
                <button type="button" className="pg-button" onClick={() => go(change.step, "elevator")}>
                  Show it
                </button>
              )}
              <button type="button" className="pg-button" onClick={() => go(change.step, "compare")}>
                Compare
              </button>
            </>
          )}
        </p>
      )}
      <TraceViewer
        trace={model}
        title={[title, note, edited ? "on the library as you have changed it" : ""].filter(Boolean).join(" · ")}
        place={place}
        onPlace={onPlace}
        loadSource={loadSource}
        linkTo={(at) => linkTo(shown.name, at)}
        {...(other === null ? {} : { other: { title: other.title, trace: other.model } })}
        actions={
          <button type="button" className="gtv-button" onClick={edit}>
            Edit this function
          </button>
        }
      />
    </>
  );
}

/** The step that raised the error which ended the program: of those on the way of the last one that an error left, the innermost. */
function raisedAt(model: TraceModel): number | null {
  const last = model.events.findLastIndex((event) => event.error !== undefined);
  return last === -1 ? null : (model.events[last]?.id ?? null);
}
