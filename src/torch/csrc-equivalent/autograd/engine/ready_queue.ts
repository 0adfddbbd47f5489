/**
 * @file Tasks that can run now, the most urgent first: those of an inner backward, then the node made last.
 * @mirrors torch/csrc/autograd/engine.h#ReadyQueue
 * @differs No waiting: with one thread the queue is never popped empty. No shutdown or wake-up tasks.
 * @differs Each device has a queue, but no thread works at it: the caller's takes, of all queues, the task that is the most urgent. The
 * order is that of one queue; a device computes meanwhile, since its kernels are only launched.
 */
import { getAccelerator } from "#aten/DeviceAccelerator";
import { AutogradState } from "#c10/core/AutogradState";
import { DeviceType } from "#c10/core/DeviceType";
import { getDeviceGuardImpl } from "#c10/core/impl/DeviceGuardImplInterface";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { CPU_DEVICE, type GraphTask } from "#torch/csrc-equivalent/autograd/graph_task";
import type { InputBuffer } from "#torch/csrc-equivalent/autograd/input_buffer/index";
import type { Node } from "#torch/csrc-equivalent/autograd/node";

/** A node, what it gets, and the run it belongs to. */
export class NodeTask {
  readonly base_: GraphTask;
  readonly fn_: Node;
  readonly inputs_: InputBuffer;
  /** Depth and number are read at every comparison; a task's never change. */
  readonly depth_: number;
  readonly sequence_nr_: number;

  constructor(base: GraphTask, fn: Node, inputs: InputBuffer) {
    this.base_ = base;
    this.fn_ = fn;
    this.inputs_ = inputs;
    this.depth_ = base.reentrant_depth_;
    this.sequence_nr_ = fn.sequence_nr();
  }
}

/** `CompareNodeTaskTime`: may `t2` go before `t1`? */
function less(t1: NodeTask, t2: NodeTask): boolean {
  return t1.depth_ === t2.depth_ ? t1.sequence_nr_ < t2.sequence_nr_ : t1.depth_ < t2.depth_;
}

// Note [Ties in the ready queue]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// All accumulators have the same sequence number, so which leaf comes first is up to the heap. PyTorch's is std::priority_queue:
// `push` sifts up while strictly less; `pop` puts the last element aside, lets the hole at the top sink to a leaf, always to the
// greater child and to the right one if they are equal, and sifts the element up from there. The order of equals follows from
// these three rules, and who steals a shared gradient follows from the order.

export class ReadyQueue {
  private readonly heap_: NodeTask[] = [];

  push(item: NodeTask, incrementOutstandingTasks = true): void {
    if (incrementOutstandingTasks) ++item.base_.outstanding_tasks_;
    const heap = this.heap_;
    heap.push(item);
    sift_up(heap, heap.length - 1, item);
  }

  pop(): NodeTask {
    const heap = this.heap_;
    const top = heap[0];
    const value = heap.pop() as NodeTask;
    const length = heap.length;
    if (length === 0) return top;
    let hole = 0;
    let child = 2;
    for (; child < length; child = 2 * hole + 2) {
      if (less(heap[child], heap[child - 1])) child--;
      heap[hole] = heap[child];
      hole = child;
    }
    if (child === length) {
      heap[hole] = heap[child - 1];
      hole = child - 1;
    }
    sift_up(heap, hole, value);
    return top;
  }

  /** Precondition: not empty. */
  top(): NodeTask {
    return this.heap_[0];
  }

  empty(): boolean {
    return this.heap_.length === 0;
  }

  size(): number {
    return this.heap_.length;
  }

  clear(): void {
    for (const task of this.heap_) task.inputs_.clear();
    this.heap_.length = 0;
  }
}

function sift_up(heap: NodeTask[], hole: number, value: NodeTask): void {
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    if (!less(heap[parent], value)) break;
    heap[hole] = heap[parent];
    hole = parent;
  }
  heap[hole] = value;
}

/** By device index of the accelerator; none while there is no accelerator. */
export const device_ready_queues_: ReadyQueue[] = [];

/** `start_device_threads`: once, when there is an accelerator. */
export function make_device_queues(): void {
  const accelerator = getAccelerator();
  if (accelerator === null || device_ready_queues_.length > 0) return;
  const count = getDeviceGuardImpl(accelerator).deviceCount();
  for (let i = 0; i < count; i++) device_ready_queues_.push(new ReadyQueue());
}

function should_run_in_cpu_ready_queue(device_type: DeviceType): boolean {
  return device_type === DeviceType.CPU || device_type === DeviceType.Meta || device_type === DeviceType.Lazy;
}

/** Where `fn` waits for its turn. */
export function ready_queue(cpu_ready_queue: ReadyQueue, fn: Node): ReadyQueue {
  if (device_ready_queues_.length === 0 || !AutogradState.get_tls_state().get_multithreading_enabled())
    return cpu_ready_queue;
  const device = fn.device();
  if (should_run_in_cpu_ready_queue(device.type())) return cpu_ready_queue;
  TORCH_INTERNAL_ASSERT(device.index() >= 0 && device.index() < device_ready_queues_.length);
  return device_ready_queues_[device.index()];
}

/** The device whose queue has the most urgent task, `CPU_DEVICE` for the CPU's. Precondition: not all are empty. */
export function most_urgent(cpu_ready_queue: ReadyQueue): number {
  let best = CPU_DEVICE;
  let task = cpu_ready_queue.empty() ? null : cpu_ready_queue.top();
  for (const [i, queue] of device_ready_queues_.entries()) {
    if (queue.empty() || (task !== null && !less(task, queue.top()))) continue;
    best = i;
    task = queue.top();
  }
  return best;
}
