/**
 * @file A trace in Chrome's trace event format, with the fields that PyTorch's profiler exports; Perfetto opens it.
 * @mirrors torch/csrc/profiler/kineto_shim.h
 */
import { device_times } from "./device_times.ts";
import type { TensorRecord, TraceEvent, ValueRecord } from "./event.ts";
import type { Trace } from "./Trace.ts";

/** The event's category in PyTorch's export. */
function category(event: TraceEvent): string {
  switch (event.kind) {
    case "frame":
    case "line":
    case "instruction":
    case "python":
    case "function":
      return "python_function";
    case "memory":
      return "cpu_instant_event";
    case "op":
    case "engine":
      return "cpu_op";
    default:
      return event.kind;
  }
}

function isTensor(value: ValueRecord): value is TensorRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inputFields(event: TraceEvent): Record<string, unknown> {
  if (!Array.isArray(event.inputs)) return {};
  const inputs = event.inputs as readonly ValueRecord[];
  return {
    "Input Dims": inputs.map((v) => (isTensor(v) ? v.shape : [])),
    "Input type": inputs.map((v) => (isTensor(v) ? v.dtype : v === null ? "" : Array.isArray(v) ? "List" : "Scalar")),
    "Input Strides": inputs.map((v) => (isTensor(v) ? v.strides : [])),
    "Concrete Inputs": inputs.map((v) => (isTensor(v) || v === null ? "" : JSON.stringify(v))),
  };
}

/** Events for the device: a process for it, a lane for each of its streams, and an arrow from each launch to its run. */
function deviceLanes(trace: Trace): object[] {
  const times = device_times(trace.events);
  if (times.length === 0) return [];
  const lanes: object[] = [{ name: "process_name", ph: "M", ts: 0, pid: 0, tid: 0, args: { name: "GPU 0" } }];
  for (const stream of new Set(times.map((time) => time.stream)))
    lanes.push({ name: "thread_name", ph: "M", ts: 0, pid: 0, tid: stream, args: { name: `stream ${stream}` } });
  for (const { launch, correlation, stream, batch, start, end } of times) {
    const { grid, workgroup_size } = launch;
    const args = { "External id": launch.id, device: 0, stream, correlation, batch, grid, block: workgroup_size };
    lanes.push({ ph: "X", cat: "kernel", name: launch.name, pid: 0, tid: stream, ts: start, dur: end - start, args });
    const arrow = { cat: "ac2g", name: "ac2g", id: correlation };
    lanes.push({ ph: "s", ...arrow, pid: 1, tid: 1, ts: launch.start });
    lanes.push({ ph: "f", bp: "e", ...arrow, pid: 0, tid: stream, ts: start });
  }
  return lanes;
}

/** The trace in the format of torch.profiler's export: chrome://tracing and Perfetto open it. */
export function toChrome(trace: Trace): object {
  const traceEvents: object[] = [
    { name: "process_name", ph: "M", ts: 0, pid: 1, tid: 0, args: { name: "glasstorch" } },
    { name: "thread_name", ph: "M", ts: 0, pid: 1, tid: 1, args: { name: "thread 1 (main)" } },
  ];
  for (const event of trace.events) {
    const name =
      event.kind === "op" && event.op !== undefined && event.how === "call"
        ? event.op.replace(/\..*$/, "")
        : event.name;
    const { id, parent, kind, start, end, inputs, outputs, ...rest } = event;
    traceEvents.push({
      ph: "X",
      cat: category(event),
      name,
      pid: 1,
      tid: 1,
      ts: start,
      dur: Math.max(end - start, 0),
      args: { "External id": id, "Ev Idx": id, ...inputFields(event), ...rest, kind, parent },
    });
  }
  traceEvents.push(...deviceLanes(trace));
  return { schemaVersion: 1, displayTimeUnit: "ms", traceName: "glasstorch", dropped: trace.dropped, traceEvents };
}
