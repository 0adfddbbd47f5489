/**
 * @file The ready queue: tasks that can run now, the most urgent first. Tasks of an inner backward come first, then the
 * node made last.
 * @mirrors torch/csrc/autograd/engine.h#ReadyQueue
 * @differs There is one thread, so the queue is never popped when empty and has no shutdown or wake-up tasks; PyTorch's
 * workers wait on it.
 * @differs Each device has a queue but no thread: the caller takes the most urgent task of all queues, so the order is
 * that of one queue; PyTorch has a thread per device. A device still computes in parallel, since its kernels are only
 * launched.
 */
import { getAccelerator } from "#aten/DeviceAccelerator";
import { AutogradState } from "#c10/core/AutogradState";
import { DeviceType } from "#c10/core/DeviceType";
import { getDeviceGuardImpl } from "#c10/core/impl/DeviceGuardImplInterface";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { CPU_DEVICE, type GraphTask } from "#torch/csrc-equivalent/autograd/graph_task";
import type { InputBuffer } from "#torch/csrc-equivalent/autograd/input_buffer/index";
import type { Node } from "#torch/csrc-equivalent/autograd/node";

/** A node, its gradients, and the run to which it belongs. */
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

/** `CompareNodeTaskTime`: whether `t2` may run before `t1`. */
function less(t1: NodeTask, t2: NodeTask): boolean {
  return t1.depth_ === t2.depth_ ? t1.sequence_nr_ < t2.sequence_nr_ : t1.depth_ < t2.depth_;
}

// Note [Ties in the ready queue]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// All accumulators have the same sequence number, so the heap decides which leaf comes first. PyTorch's is
// std::priority_queue: `push` sifts up while strictly less; `pop` puts the last element aside, lets the hole at the top
// sink to a leaf, always to the greater child (to the right one if they are equal), and sifts the element up from
// there. These three rules determine the order of equal elements, and that order determines which leaf may keep a
// shared gradient without a copy.

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

/** Queues by device index of the accelerator; empty if there is none. */
export const device_ready_queues_: ReadyQueue[] = [];

/** `start_device_threads`: makes the queues, once there is an accelerator. */
export function make_device_queues(): void {
  const accelerator = getAccelerator();
  if (accelerator === null || device_ready_queues_.length > 0) return;
  const count = getDeviceGuardImpl(accelerator).deviceCount();
  for (let i = 0; i < count; i++) device_ready_queues_.push(new ReadyQueue());
}

function should_run_in_cpu_ready_queue(device_type: DeviceType): boolean {
  return device_type === DeviceType.CPU || device_type === DeviceType.Meta || device_type === DeviceType.Lazy;
}

/** The queue of `fn`. */
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
