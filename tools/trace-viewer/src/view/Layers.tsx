/**
 * @file The filter by layer: a switch for each lane that has events.
 * @original
 */
import { type ReactNode, useMemo } from "react";
import type { Lane } from "../../../../src/trace/event.ts";
import type { TraceModel } from "../model/TraceModel.ts";

/** Class that gives an element its lane's colours. */
export const laneClass = (lane: Lane): string => `gtv-lane-${lane.replaceAll(" ", "-")}`;

interface LayersProps {
  readonly model: TraceModel;
  readonly hidden: ReadonlySet<Lane>;
  readonly onChange: (hidden: ReadonlySet<Lane>) => void;
}

export function Layers({ model, hidden, onChange }: LayersProps): ReactNode {
  const used = useMemo(() => model.lanesInUse(), [model]);
  const toggle = (lane: Lane): void => {
    const next = new Set(hidden);
    if (!next.delete(lane)) next.add(lane);
    onChange(next);
  };
  return (
    <div role="group" aria-label="Layers shown" className="gtv-layers">
      {used.map((lane) => (
        <button
          key={lane}
          type="button"
          className={`gtv-chip ${laneClass(lane)}`}
          aria-pressed={!hidden.has(lane)}
          onClick={() => toggle(lane)}
        >
          {lane}
        </button>
      ))}
    </div>
  );
}
