/**
 * @file The reader's place as the hash of a page's address: the trace, the step, the view, the hidden lanes.
 * @original
 */
import { type Lane, lanes } from "../../../../src/trace/event.ts";

export const views = ["elevator", "tree", "timeline", "graph", "captures", "passes", "interpreter", "compare"] as const;
export type View = (typeof views)[number];

export interface Place {
  /** Address of the trace, for a page that opens traces by address. */
  readonly trace: string | null;
  /** Event id. */
  readonly step: number | null;
  readonly view: View | null;
  readonly hidden: readonly Lane[];
}

export function parsePlace(hash: string): Place {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const step = Number(fields.get("step") ?? "");
  const view = fields.get("view");
  return {
    trace: fields.get("trace"),
    step: fields.has("step") && Number.isSafeInteger(step) && step >= 0 ? step : null,
    view: views.find((name) => name === view) ?? null,
    hidden: lanes.filter((lane) => (fields.get("hide") ?? "").split(",").includes(lane.replaceAll(" ", "-"))),
  };
}

export function formatPlace(place: Place): string {
  const fields: string[] = [];
  if (place.trace !== null) fields.push(`trace=${encodeURIComponent(place.trace).replaceAll("%2F", "/")}`);
  if (place.step !== null) fields.push(`step=${place.step}`);
  if (place.view !== null && place.view !== "elevator") fields.push(`view=${place.view}`);
  if (place.hidden.length > 0) fields.push(`hide=${place.hidden.map((lane) => lane.replaceAll(" ", "-")).join(",")}`);
  return fields.length === 0 ? "" : `#${fields.join("&")}`;
}
