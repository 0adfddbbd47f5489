/**
 * @file Streams of gradients on an accelerator: the stream in which they are added, and the waits between streams.
 * @mirrors torch/csrc/autograd/input_buffer.cpp
 * @differs Capturing a stream into a graph is not built; PyTorch replaces the old streams of a capture here.
 */
import { getCurrentStream, isAccelerator } from "#aten/DeviceAccelerator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Event } from "#c10/core/Event";
import { getDeviceGuardImpl } from "#c10/core/impl/DeviceGuardImplInterface";
import { InlineStreamGuard } from "#c10/core/impl/InlineStreamGuard";
import type { Stream } from "#c10/core/Stream";
import { TORCH_WARN_ONCE } from "#c10/util/Exception";
import type { Node } from "#torch/csrc-equivalent/autograd/node";
import type { OwningList } from "#torch/csrc-equivalent/autograd/owning_list";

// Note [Streaming backwards]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A node runs in the stream in which its forward call ran (Node.stream). The node that produces its gradient may have
// run in another stream. Then that stream records an event when the gradient is done, and the node's stream waits for
// the event, on the device; the host goes on. If both are one stream, its order is enough: no event is recorded, so a
// device with a single stream never uses events. Memory that was allocated in one stream and is used in another must
// not be freed too early, so the allocator is informed.
//
// Several gradients for one input are added up in one stream, the "accumulation stream", which waits for each that comes from elsewhere:
//   A) the stream of the node that will take the sum, if the gradient is on its device;
//   B) else the stream of the node that produced the first gradient, if the gradient is on its device;
//   C) else the current stream of the gradient's device.
// At the end of a run, the streams that were current where backward was called wait for the streams of the last nodes
// (graph_task.ts): a reader of `.grad` need not know in which streams it was made.

/** Stream data about the gradient of one input. */
export interface Arrived {
  readonly accum_stream: Stream;
  /** The sum is ready when `ready_stream` reaches it. Null if the consumer of the sum is in that stream itself. */
  ready_event: Event | null;
  ready_stream: Stream;
}

/** The part of a buffer that this file uses. */
interface Buffer {
  readonly tensors: readonly Tensor[];
  arrived_: (Arrived | undefined)[] | null;
  accumulate(pos: number, from: OwningList, index: number): void;
}

let warn_on_accumulate_grad_stream_mismatch = true;

export function setWarnOnAccumulateGradStreamMismatch(enabled: boolean): void {
  warn_on_accumulate_grad_stream_mismatch = enabled;
}

/** Informs the allocator that `stream` uses the memory of `t` too: it may be freed only after that use. */
function record_stream(t: Tensor, stream: Stream): void {
  if (t.has_storage()) getDeviceGuardImpl(stream.device_type()).recordDataPtrOnStream(t.storage().data_ptr(), stream);
}

function recorded_on(stream: Stream): Event {
  const event = new Event(stream.device_type());
  event.record(stream);
  return event;
}

/**
 * `InputBuffer::add` for a gradient that is not on the CPU. `parent` produced it (null: the caller did); it is for the node `fn`.
 */
export function add_with_streams(
  buffer: Buffer,
  pos: number,
  from: OwningList,
  index: number,
  parent: Node | null,
  fn: Node,
): void {
  const gradient = from.tensors[index];
  const device = gradient.device();
  if (!isAccelerator(device.type())) {
    buffer.accumulate(pos, from, index);
    return;
  }
  // A node that ran on the CPU has queued its copy to the device in the current stream there.
  const producer = parent?.stream() ?? getCurrentStream(device.index());
  const consumer = fn.stream() ?? getCurrentStream(device.index());
  if (!consumer.eq(producer) && warn_on_accumulate_grad_stream_mismatch && fn.next_edges().length === 0)
    warn_of_mismatch(fn);
  buffer.arrived_ ??= [];
  const arrived = buffer.arrived_[pos];
  if (arrived === undefined) {
    const for_consumer = device.eq(consumer.device());
    const elsewhere = device.eq(producer.device()) ? producer : getCurrentStream(device.index());
    const accum_stream = for_consumer ? consumer : elsewhere;
    const is_there = accum_stream.eq(producer) && consumer.eq(producer);
    buffer.accumulate(pos, from, index);
    if (for_consumer && !is_there) record_stream(buffer.tensors[pos], consumer);
    const ready_event = is_there ? null : recorded_on(producer);
    buffer.arrived_[pos] = { accum_stream, ready_event, ready_stream: producer };
    return;
  }
  add_to_sum(buffer, pos, from, index, producer, consumer, arrived);
}

function add_to_sum(
  buffer: Buffer,
  pos: number,
  from: OwningList,
  index: number,
  producer: Stream,
  consumer: Stream,
  arrived: Arrived,
): void {
  const { accum_stream } = arrived;
  if (!accum_stream.eq(producer)) {
    accum_stream.wait(recorded_on(producer));
    record_stream(from.tensors[index], accum_stream);
  }
  if (!accum_stream.eq(arrived.ready_stream)) {
    accum_stream.wait(arrived.ready_event as Event); // null only if the streams are the same
    record_stream(buffer.tensors[pos], accum_stream);
  }
  const guard = new InlineStreamGuard(accum_stream);
  try {
    buffer.accumulate(pos, from, index);
    arrived.ready_event = accum_stream.eq(consumer) ? null : recorded_on(accum_stream);
    arrived.ready_stream = accum_stream;
  } finally {
    guard.restore();
  }
}

function warn_of_mismatch(fn: Node): void {
  if (fn.name() !== "torch::autograd::AccumulateGrad") return;
  TORCH_WARN_ONCE(
    "The AccumulateGrad node's stream does not match the stream of the node that produced the incoming gradient. " +
      "This may incur unnecessary synchronization and break CUDA graph capture if the AccumulateGrad node's stream is " +
      "the default stream. This mismatch is caused by an AccumulateGrad node created prior to the current iteration " +
      "being kept alive. This can happen if the autograd graph is still being kept alive by tensors such as the loss, " +
      "or if you are using DDP, which will stash a reference to the node. To resolve the mismatch, delete all " +
      "references to the autograd graph or ensure that DDP initialization is performed under the same stream as " +
      "subsequent forwards. If the mismatch is intentional, you can use " +
      "torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False) to suppress this warning.",
  );
}

/** Number of events for which the running node was made to wait; for traces. */
let waited_events = 0;

export function events_of_current_node(): number {
  return waited_events;
}

/** Runs a node in its stream, which first waits for those of its gradients that were made in other streams. */
export function run_on_stream(stream: Stream, buffer: Buffer, run: () => void): void {
  const guard = new InlineStreamGuard(stream);
  try {
    waited_events = 0;
    for (const arrived of buffer.arrived_ ?? []) {
      if (arrived === undefined || arrived.ready_event === null || arrived.ready_stream.eq(stream)) continue;
      stream.wait(arrived.ready_event);
      waited_events++;
    }
    run();
  } finally {
    guard.restore();
  }
}
