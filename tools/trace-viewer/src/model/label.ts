/**
 * @file Short texts for an event: on a bar of the elevator, in a row of the tree, in the line that is read aloud.
 * @original
 */
import { isProgramStep, type TensorRecord, type TraceEvent, type ValueRecord } from "../../../../src/trace/event.ts";

/** The name without the part that its lane already shows. */
export function shortName(event: TraceEvent): string {
  const { name } = event;
  if (event.kind === "op") return event.operator ?? name.replace(/^aten::/, "");
  if (isProgramStep(event)) return name;
  if (event.kind === "python") return name.split(".").slice(-2).join(".");
  if (event.kind === "engine")
    return name.replace(/^autograd::engine::evaluate_function: /, "run ").replace(/^(torch::autograd::)+/, "");
  return name.replace(/^(at|torch|c10)::(?:(native|meta|autograd|generated)::)*/, "");
}

/** One phrase: the name and the most important detail. */
export function label(event: TraceEvent): string {
  const name = shortName(event);
  if (event.kind === "op" && event.key !== undefined) return `${name} · ${event.how} → ${event.key}`;
  if (event.kind === "stub" && typeof event["kernel"] === "string") return `${name} → ${event["kernel"]}`;
  if (event.kind === "loop" && typeof event["dtype"] === "string") return `${name} ${event["dtype"]}`;
  if (event.kind === "instruction" && event.argrepr !== undefined && event.argrepr !== "")
    return `${name} ${event.argrepr}`;
  if (event.kind === "memory" && typeof event["nbytes"] === "number") return `${name} ${event["nbytes"]} B`;
  if (event.kind === "init" && typeof event["note"] === "string") return `${name} · ${event["note"]}`;
  if (event.kind === "autograd") return `grad_fn ${name}`;
  return name;
}

export function isTensor(value: ValueRecord | undefined): value is TensorRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tensors among inputs or outputs, in order, also inside lists. */
export function tensorsOf(value: ValueRecord | undefined): TensorRecord[] {
  if (Array.isArray(value)) return (value as readonly ValueRecord[]).flatMap(tensorsOf);
  return isTensor(value) ? [value] : [];
}

/** `float32 [3, 4]`, `[1, 1]`, `None`. */
export function describe(value: ValueRecord | undefined): string {
  if (value === undefined || value === null) return "None";
  if (Array.isArray(value)) return `[${(value as readonly ValueRecord[]).map(describe).join(", ")}]`;
  if (isTensor(value)) return `${value.dtype} [${value.shape.join(", ")}]`;
  return String(value);
}

/** Microseconds in a readable unit. */
export function duration(us: number): string {
  if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`;
  if (us >= 1e3) return `${(us / 1e3).toFixed(us >= 1e4 ? 0 : 1)} ms`;
  return `${us >= 10 ? Math.round(us) : Math.round(us * 10) / 10} µs`;
}
