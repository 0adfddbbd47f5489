/**
 * @file Reads a dropped file: a glasstorch trace, a Chrome trace, or the side file with dispatch tables; compressed or not.
 * @original
 */
import { type ChromeTrace, fromChrome } from "./chrome.ts";
import { type DispatchTables, tablesOf } from "./dispatchTable.ts";
import { eventsOf, graphsOf, sourcesOf } from "./eventsOf.ts";
import { type Recording, TraceModel } from "./TraceModel.ts";
import { unpack } from "./unpack.ts";

export type Opened =
  | { readonly kind: "trace"; readonly model: TraceModel }
  | { readonly kind: "tables"; readonly tables: DispatchTables };

/** Largest size of an unpacked file: near the limit of a string. */
const MOST_BYTES = 400_000_000;

/** Text of a file, unpacked if it is gzip (PyTorch writes `.json.gz` when asked to). */
export async function textOf(file: Blob): Promise<string> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) return file.text();
  return new TextDecoder().decode(await unpack(file, "gzip", MOST_BYTES));
}

/** Parses the text of a file. Errors say what was found and what is accepted. */
export function openText(text: string): Opened {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
  return openValue(value);
}

/** Like `openText`, for a value already parsed, such as `trace.toJSON()`. */
export function openValue(value: unknown): Opened {
  if (typeof value !== "object" || value === null) throw notUnderstood(typeof value);
  const file = value as { format?: unknown; version?: unknown; traceEvents?: unknown };
  if (file.format === "glasstorch-tables") return { kind: "tables", tables: tablesOf(value) };
  const recording = recordingOf(value, file);
  return {
    kind: "trace",
    model: new TraceModel({ ...recording, events: eventsOf(recording.events, recording.sources) }),
  };
}

/** The content of a file, with its events not yet validated. */
type Raw = Omit<Recording, "events"> & { readonly events: readonly unknown[] };

function recordingOf(value: object, file: { format?: unknown; version?: unknown; traceEvents?: unknown }): Raw {
  if (Array.isArray(value)) return fromChrome({ traceEvents: value });
  if (Array.isArray(file.traceEvents)) return fromChrome(value as ChromeTrace);
  if (file.format !== "glasstorch-trace")
    throw notUnderstood(`an object with the fields ${Object.keys(value).slice(0, 6).join(", ")}`);
  if (file.version !== 1 && file.version !== 2)
    throw new Error(`This trace has version ${String(file.version)}; this viewer reads versions 1 and 2.`);
  const { events, dropped, torch, sources, graphs } = value as {
    [field in "events" | "dropped" | "torch" | "sources" | "graphs"]?: unknown;
  };
  if (!Array.isArray(events)) throw new Error("This glasstorch trace has no list of events.");
  return {
    origin: "glasstorch",
    torch: typeof torch === "string" ? torch : null,
    events,
    dropped: typeof dropped === "number" ? dropped : 0,
    sources: sourcesOf(sources),
    graphs: graphsOf(graphs),
  };
}

function notUnderstood(found: string): Error {
  return new Error(
    `Found ${found}. This viewer reads glasstorch traces (--format json), Chrome traces such as torch.profiler writes, and dispatch tables.`,
  );
}
