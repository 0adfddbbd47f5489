/**
 * @file The collected events as Kineto's JSON: Chrome's trace event format, which Perfetto and chrome://tracing open.
 * @mirrors torch/csrc/profiler/kineto_shim.h
 */
import { RecordScope } from "#aten/record_function";
import type { PyCallEvent, RecordQueue, TorchOpEvent } from "./collection.ts";

const pid = 1;
const tid = 1;
const thread = { pid, tid };

function opArgs(event: TorchOpEvent, index: number): object {
  const sequence =
    event.sequence_number < 0
      ? {}
      : { "Sequence number": event.sequence_number, "Fwd thread id": event.forward_thread_id };
  const inputs =
    event.inputs === null
      ? {}
      : {
          "Concrete Inputs": event.inputs.concrete,
          "Input type": event.inputs.dtypes,
          "Input Strides": event.inputs.strides,
          "Input Dims": event.inputs.shapes,
        };
  return { "External id": index + 1, ...sequence, "Record function id": 0, ...inputs, "Ev Idx": index };
}

/**
 * Index of the forward operator that made a node, by the index of the node's event: the last operator with its
 * sequence number.
 */
function joinForwardAndBackward(ops: readonly TorchOpEvent[]): Map<number, number> {
  const forward = new Map<number, number>();
  const joined = new Map<number, number>();
  ops.forEach((op, i) => {
    if (op.sequence_number < 0) return;
    if (op.forward_thread_id === 0) forward.set(op.sequence_number, i);
    else if (op.scope === RecordScope.BACKWARD_FUNCTION) {
      const made = forward.get(op.sequence_number);
      if (made !== undefined) joined.set(i, made);
    }
  });
  return joined;
}

function pythonArgs(call: PyCallEvent, index: number, eventIndex: number): object {
  return {
    "Python parent id": call.parent === null ? null : call.parent + 1,
    "Python id": index + 1,
    "Ev Idx": eventIndex,
  };
}

/** The whole export. @param duration_us how long the profiler was on */
export function toChromeTrace(
  queue: RecordQueue,
  duration_us: number,
  metadata: Readonly<Record<string, number>>,
  traceName: string,
): object {
  const events: object[] = [
    { ph: "M", name: "process_name", ts: 0, pid, tid: 0, args: { name: "glasstorch" } },
    { ph: "M", name: "process_labels", ts: 0, pid, tid: 0, args: { labels: "CPU" } },
    { ph: "M", name: "process_sort_index", ts: 0, pid, tid: 0, args: { sort_index: pid } },
    { ph: "M", name: "thread_name", ts: 0, ...thread, args: { name: "thread 1 (main)" } },
    { ph: "M", name: "thread_sort_index", ts: 0, ...thread, args: { sort_index: tid } },
  ];
  const joined = joinForwardAndBackward(queue.ops);
  // Arrows from forward to backward, numbered in the order of backward.
  const arrows = [...joined].map(([backward, forward], i) => ({ backward, forward, id: i + 1 }));
  queue.ops.forEach((op, i) => {
    const cat = op.scope === RecordScope.USER_SCOPE ? "user_annotation" : "cpu_op";
    events.push({
      ph: "X",
      cat,
      name: op.name,
      ...thread,
      ts: op.start_us,
      dur: Math.max(op.end_us - op.start_us, 0),
      args: opArgs(op, i),
    });
    for (const { backward, forward, id } of arrows) {
      if (forward !== i && backward !== i) continue;
      const flow = { id, ...thread, ts: op.start_us, cat: "fwdbwd", name: "fwdbwd" };
      if (forward === i) events.push({ ph: "s", ...flow });
      if (backward === i) events.push({ ph: "f", ...flow, bp: "e" });
    }
  });
  let index = queue.ops.length;
  for (const { start_us, nbytes, total_allocated } of queue.allocations) {
    const args = {
      "Total Reserved": 0,
      "Total Allocated": total_allocated,
      Bytes: nbytes,
      "Device Id": -1,
      "Device Type": 0,
      Addr: 0,
      finished: false,
      "Ev Idx": index++,
    };
    events.push({ ph: "i", cat: "cpu_instant_event", s: "t", name: "[memory]", ...thread, ts: start_us, args });
  }
  queue.calls.forEach((call, i) => {
    const dur = Math.max(call.end_us - call.start_us, 0);
    events.push({
      ph: "X",
      cat: "python_function",
      name: call.name,
      ...thread,
      ts: call.start_us,
      dur,
      args: pythonArgs(call, i, index++),
    });
  });
  events.push(
    {
      ph: "X",
      cat: "Trace",
      name: "PyTorch Profiler (0)",
      pid: "Spans",
      tid: "PyTorch Profiler",
      ts: 0,
      dur: duration_us,
      args: { "Op count": 0 },
    },
    { ph: "M", name: "process_sort_index", ts: 0, pid: "Spans", tid: 0, args: { sort_index: 536870912 } },
    { ph: "i", s: "g", name: "Iteration Start: PyTorch Profiler", pid: "Traces", tid: "Trace PyTorch Profiler", ts: 0 },
    { ph: "i", s: "g", name: "Record Window End", pid: "", tid: "", ts: duration_us },
  );
  return {
    schemaVersion: 1,
    deviceProperties: [],
    trace_id: "0",
    ...metadata,
    host_name: "0",
    displayTimeUnit: "ms",
    baseTimeNanoseconds: 0,
    traceName,
    traceEvents: events,
  };
}
