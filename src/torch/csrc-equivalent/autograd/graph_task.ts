/**
 * @file One run of the engine: the requested results, the state of each node, and the gradients found.
 * @mirrors torch/csrc/autograd/graph_task.h
 * @differs There is one thread: no mutex, no future (`future_result_` is a plain value), and warnings are not delayed;
 * PyTorch has all three.
 */
import { getCurrentStream } from "#aten/DeviceAccelerator";
import { Event } from "#c10/core/Event";
import { InlineMultiStreamGuard } from "#c10/core/impl/InlineStreamGuard";
import type { Stream } from "#c10/core/Stream";
import { RuntimeError } from "#c10/util/Exception";
import { AnomalyMode } from "./anomaly_mode.ts";
import type { Edge } from "./edge.ts";
import type { ReadyQueue } from "./engine/ready_queue.ts";
import type { InputBuffer } from "./input_buffer/index.ts";
import type { Node, variable_list } from "./node.ts";
import { OwningList, undefined_variables } from "./owning_list.ts";

export const NO_DEVICE = -2;
export const CPU_DEVICE = -1;

// Note [What a run knows about a node]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// PyTorch keeps four maps from nodes in each GraphTask: dependencies_ (how many gradients are still to come), not_ready_ (the
// buffer of those that came), exec_info_ (is the node wanted, with `inputs=`) and the set nodes_in_graph_. Here the four
// entries of one node are one NodeState, and the node points at it: no map is looked up while a gradient is passed on.
// A node belongs to several runs when a backward runs inside another and they share leaves. The inner run's state then lies on
// top of the outer's (`outer`), and `GraphTask.state` walks down.

/** A gradient that `torch.autograd.grad` requested: input `input_idx_` of the node is result `output_idx_`. */
export interface Capture {
  readonly input_idx_: number;
  readonly output_idx_: number;
}

/**
 * Entry of `exec_info_`: whether the run needs this node to run (`needed_`), or only the gradients that arrive at it
 * (`captures_`).
 */
export class ExecInfo {
  needed_ = false;
  captures_: Capture[] | null = null;

  should_execute(): boolean {
    return this.needed_ || this.captures_ !== null;
  }
}

export class NodeState {
  readonly graph_task: GraphTask;
  readonly outer: NodeState | null;
  dependencies = 0;
  in_graph = false;
  not_ready: InputBuffer | null = null;
  exec_info: ExecInfo | null = null;

  constructor(graph_task: GraphTask, outer: NodeState | null) {
    this.graph_task = graph_task;
    this.outer = outer;
  }
}

let next_id = 0;

export class GraphTask {
  /** Number of node tasks in the queue or running. */
  outstanding_tasks_ = 0;
  has_error_ = false;
  future_completed_ = false;
  readonly keep_graph_: boolean;
  /** Grad mode inside nodes: `create_graph`. */
  readonly grad_mode_: boolean;
  /** Number of buffers that wait for more gradients: the size of PyTorch's not_ready_. */
  not_ready_count_ = 0;
  nodes_in_graph_: Node[] = [];
  graph_roots_: Node[];
  private has_exec_info_ = false;
  readonly captured_vars_ = new OwningList();
  owner_ = NO_DEVICE;
  readonly reentrant_depth_: number;
  cpu_ready_queue_: ReadyQueue;
  future_error_: unknown = null;
  future_value_: variable_list = [];
  final_callbacks_: (() => void)[] = [];
  readonly id_ = next_id++;
  /** Streams that made gradients which the caller will read. */
  private leaf_streams_: Stream[] | null = null;
  /** Per device, the current stream where the run was called; null if there is no accelerator. */
  private caller_current_streams_: Stream[] | null = null;

  constructor(
    keep_graph: boolean,
    grad_mode: boolean,
    reentrant_depth: number,
    cpu_ready_queue: ReadyQueue,
    graph_roots: Node[],
  ) {
    this.keep_graph_ = keep_graph;
    this.grad_mode_ = grad_mode;
    this.reentrant_depth_ = reentrant_depth;
    this.cpu_ready_queue_ = cpu_ready_queue;
    this.graph_roots_ = graph_roots;
  }

  /** This run's state of `node`, null if the run does not know the node. */
  state(node: Node): NodeState | null {
    let state = node.task_state_;
    while (state !== null && state.graph_task !== this) state = state.outer;
    return state;
  }

  materialize_state(node: Node): NodeState {
    const found = this.state(node);
    if (found !== null) return found;
    let outer = node.task_state_;
    while (outer?.graph_task.future_completed_) outer = outer.outer;
    const state = new NodeState(this, outer);
    node.task_state_ = state;
    return state;
  }

  // exec_info_

  /** False if the run needs all nodes. */
  has_exec_info(): boolean {
    return this.has_exec_info_;
  }

  exec_info(node: Node): ExecInfo | null {
    return this.state(node)?.exec_info ?? null;
  }

  should_execute(node: Node): boolean {
    return this.state(node)?.exec_info?.should_execute() ?? false;
  }

  private materialize_exec_info(node: Node): ExecInfo {
    const state = this.materialize_state(node);
    state.exec_info ??= new ExecInfo();
    return state.exec_info;
  }

  add_node_to_exec_info(fn: Node): void {
    this.materialize_exec_info(fn).needed_ = true;
  }

  /**
   * With `inputs=`: marks the nodes on a path from the root to one of `outputs`, by a depth-first walk: a node's answer
   * is known when the answers of all its children are.
   */
  init_to_execute(graph_root: Node, outputs: readonly Edge[], accumulate_grad: boolean, min_topo_nr: number): void {
    this.has_exec_info_ = true;
    let output_idx = 0;
    for (const output_edge of outputs) {
      const info = this.materialize_exec_info(output_edge.function as Node);
      if (accumulate_grad) {
        info.needed_ = true;
      } else {
        info.captures_ ??= [];
        info.captures_.push({ input_idx_: output_edge.input_nr, output_idx_: output_idx++ });
      }
    }
    this.captured_vars_.assign(undefined_variables(output_idx));

    const seen = new Set<Node>();
    const stack: { fn: Node; next_next_fn: number }[] = [{ fn: graph_root, next_next_fn: 0 }];
    this.materialize_exec_info(graph_root);
    while (stack.length > 0) {
      const frame = stack[stack.length - 1];
      const fn = frame.fn;
      let child_fn: Node | null = null;
      while (frame.next_next_fn < fn.num_outputs()) {
        const next = fn.next_edge(frame.next_next_fn++).function;
        if (next === null) continue;
        if (!seen.has(next)) {
          seen.add(next);
          child_fn = next;
          break;
        }
        if (this.should_execute(next)) this.materialize_exec_info(fn).needed_ = true;
      }
      if (child_fn !== null) {
        // A node made before the first of `outputs` cannot lead to any of them.
        if (child_fn.topological_nr() < min_topo_nr) continue;
        stack.push({ fn: child_fn, next_next_fn: 0 });
      } else {
        stack.pop();
        const parent = stack[stack.length - 1];
        if (parent !== undefined && this.should_execute(fn)) this.materialize_exec_info(parent.fn).needed_ = true;
      }
    }
  }

  // Streams; see Note [Streaming backwards]

  stash_current_streams(device_count: number): void {
    if (device_count === 0) return;
    this.caller_current_streams_ = [];
    for (let i = 0; i < device_count; i++) this.caller_current_streams_.push(getCurrentStream(i));
  }

  /** Notes the stream of `func`, whose gradients the caller will read. */
  add_leaf_stream(func: Node): void {
    if (this.caller_current_streams_ === null) return;
    const stream = func.stream();
    if (stream === null) return;
    this.leaf_streams_ ??= [];
    if (!this.leaf_streams_.some((other) => other.eq(stream))) this.leaf_streams_.push(stream);
  }

  /**
   * Makes the caller's streams wait for the gradients. Returns the streams that were current for the caller, if any
   * must be restored.
   */
  private sync_with_leaf_streams(): readonly Stream[] {
    const callers = this.caller_current_streams_ ?? [];
    if (this.leaf_streams_ === null) return [];
    for (const leaf_stream of this.leaf_streams_) {
      const caller = callers[leaf_stream.device_index()];
      if (caller.eq(leaf_stream)) continue;
      const event = new Event(leaf_stream.device_type());
      event.record(leaf_stream);
      caller.wait(event);
    }
    return callers;
  }

  // Completion

  completed(): boolean {
    return this.outstanding_tasks_ === 0;
  }

  mark_as_completed_and_run_post_processing(): void {
    if (this.future_completed_) return;
    this.future_completed_ = true;
    try {
      this.exec_post_processing();
      this.future_value_ = this.captured_vars_.release();
    } catch (error) {
      this.future_error_ = error;
      this.has_error_ = true;
    }
    this.release();
  }

  private exec_post_processing(): void {
    if (this.not_ready_count_ > 0) throw new RuntimeError("could not compute gradients for some functions");
    const previous = set_current_graph_task(this);
    const streams = this.sync_with_leaf_streams();
    const stream_guard = streams.length === 0 ? null : new InlineMultiStreamGuard(streams);
    try {
      // A callback may queue further callbacks.
      for (let i = 0; i < this.final_callbacks_.length; i++) this.final_callbacks_[i]();
    } finally {
      stream_guard?.restore();
      set_current_graph_task(previous);
    }
  }

  set_exception(error: unknown, fn: Node | null): void {
    if (!this.has_error_) {
      this.has_error_ = true;
      if (AnomalyMode.is_enabled() && fn !== null) fn.metadata().print_stack(fn.name());
    }
    if (this.future_completed_) return;
    this.future_completed_ = true;
    this.future_error_ = error;
    this.release();
  }

  /** Releases the graph, because leaves keep their last NodeState, and it points here. */
  private release(): void {
    if (this.not_ready_count_ > 0) for (const node of this.nodes_in_graph_) this.state(node)?.not_ready?.clear();
    this.nodes_in_graph_ = [];
    this.graph_roots_ = [];
    this.captured_vars_.clear();
    this.final_callbacks_ = [];
  }
}

/** The run whose node is running; used by queue_callback and CopySlices. */
export let current_graph_task: GraphTask | null = null;

/** `GraphTaskGuard`: returns the previous one, for the caller to restore. */
export function set_current_graph_task(graph_task: GraphTask | null): GraphTask | null {
  const last_graph_task = current_graph_task;
  current_graph_task = graph_task;
  return last_graph_task;
}

export function get_current_graph_task_nodes_in_graph(): readonly Node[] | null {
  return current_graph_task === null ? null : current_graph_task.nodes_in_graph_;
}

export function get_current_graph_task_keep_graph(): boolean {
  return current_graph_task === null ? true : current_graph_task.keep_graph_;
}

export function get_current_graph_task_id(): number {
  return current_graph_task === null ? -1 : current_graph_task.id_;
}
