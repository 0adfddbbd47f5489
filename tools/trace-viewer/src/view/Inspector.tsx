/**
 * @file The details of a step: the dispatcher's choice, the values, and other recorded fields.
 * @original
 */
import type { ReactNode } from "react";
import type { DispatchTables } from "../model/dispatchTable.ts";
import { label, shortName } from "../model/label.ts";
import type { TraceModel } from "../model/TraceModel.ts";
import { furtherFields } from "../model/values.ts";
import { Dispatch } from "./Dispatch.tsx";
import { laneClass } from "./Layers.tsx";
import { Values } from "./Values.tsx";

interface InspectorProps {
  readonly model: TraceModel;
  readonly index: number;
  readonly tables: DispatchTables | undefined;
  readonly onEvent: (event: number) => void;
}

export function Inspector({ model, index, tables, onEvent }: InspectorProps): ReactNode {
  const event = model.event(index);
  const decided = model.nearest(index, (above) => above.kind === "op" && above.key !== undefined);
  // A kernel belongs to its operator call: it has the same choice and the same values.
  const call =
    decided !== -1 && (decided === index || (event.kind === "kernel" && model.parent[index] === decided))
      ? model.event(decided)
      : null;
  const fields = furtherFields(event);
  return (
    <section className="gtv-card gtv-inspector" aria-label="Step">
      <h3 className={laneClass(model.laneAt(index))}>
        <span className="gtv-whose">{model.laneAt(index)}</span> <code title={event.name}>{event.name}</code>
      </h3>
      {event.error !== undefined && (
        <p className="gtv-error">
          <b>Left by an error</b> {event.error}
        </p>
      )}
      {call !== null && <Dispatch event={call} tables={tables} seen={operatorsOf(model)} />}
      <Values event={event.inputs === undefined && call !== null ? call : event} />
      {fields.length > 0 && (
        <dl className="gtv-fields">
          {fields.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {decided !== -1 && decided !== index && (
        <p className="gtv-note">
          <b>Chosen at</b>{" "}
          <button type="button" className="gtv-link" onClick={() => onEvent(decided)}>
            {label(model.event(decided))}
          </button>
        </p>
      )}
      <nav className="gtv-way" aria-label="Callers">
        {model.path(index).map((at) =>
          at === index ? (
            <b key={at}>{shortName(event)}</b>
          ) : (
            <button key={at} type="button" className="gtv-link" onClick={() => onEvent(at)}>
              {shortName(model.event(at))}
            </button>
          ),
        )}
      </nav>
    </section>
  );
}

const operators = new WeakMap<TraceModel, readonly string[]>();

/** Operators called in the recording, in order of first call. */
function operatorsOf(model: TraceModel): readonly string[] {
  let known = operators.get(model);
  if (known === undefined) {
    known = [
      ...new Set(model.events.flatMap((event) => (event.kind === "op" && event.op !== undefined ? [event.op] : []))),
    ];
    operators.set(model, known);
  }
  return known;
}
