/**
 * @file A node of the autograd graph: it takes the gradients of a forward call's outputs and returns the gradients of its inputs.
 * @mirrors torch/csrc/autograd/node.h
 * @differs Nodes are garbage collected, so there is no `release_resources` and no mutex, and lists of hooks are made at
 * their first use; PyTorch counts references.
 */
import { IValue } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { getStepCallbacksUnlessEmpty, RecordFunction, RecordScope } from "#aten/record_function";
import * as sequence_number from "#aten/SequenceNumber";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import type { Layout } from "#c10/core/Layout";
import type { ScalarType } from "#c10/core/ScalarType";
import type { Stream } from "#c10/core/Stream";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";
import { AnomalyMetadata, AnomalyMode } from "./anomaly_mode.ts";
import type { Edge } from "./edge.ts";
import type { FunctionPostHook, FunctionPreHook, PostAccumulateGradHook } from "./function_hook.ts";
import { current_graph_task, type NodeState } from "./graph_task.ts";
import { events_of_current_node } from "./input_buffer/streams.ts";
import { InputMetadata } from "./input_metadata.ts";

export type variable_list = Tensor[];
export type edge_list = Edge[];
/** First slot of a range and the one after its last: an argument's slots among a node's outputs (a list has several). */
export type IndexRange = readonly [number, number];

/**
 * A number that makes a node run before everything else that is ready. @differs A `number` cannot hold PyTorch's 2^64 -
 * 1, but 2^64 sorts the same.
 */
export const UINT64_MAX = 2 ** 64;

const DEFAULT_CPU = new Device(DeviceType.CPU);

// Note [Sequence number and topological number]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// `sequence_nr` counts calls in the order they ran. The engine takes the ready node with the largest, so backward goes roughly
// in reverse order of forward; a leaf's accumulator has the largest of all, so memory is given back as soon as possible. The
// profiler joins a forward operator and its node by it.
// `topological_nr` is the length of the longest path from the node to a leaf. It answers one question without a walk: is there
// a path from X to Y? Only if topological_nr(X) > topological_nr(Y). That is why it must not change once someone has asked,
// and someone asks when the node gets a parent (`has_parent_`).

/**
 * An empty list that nobody changes: a list is made when the first element comes. One that grows from empty reserves room for 17.
 */
const NO_HOOKS: never[] = [];
const NO_EDGES: edge_list = [];
const NO_INPUTS: InputMetadata[] = [];

export abstract class Node {
  declare private sequence_nr_: number;
  declare private topological_nr_: number;
  declare private has_parent_: boolean;
  declare protected next_edges_: edge_list;
  declare protected input_metadata_: InputMetadata[];
  declare private pre_hooks_: FunctionPreHook[];
  declare protected tensor_pre_hooks_: FunctionPreHook[];
  /** Output number of the forward call -> the hook that fills that output's `.grad`. */
  declare private retains_grad_hooks_: Map<number, FunctionPreHook> | null;
  declare private post_hooks_: FunctionPostHook[];
  declare private anomaly_metadata_: AnomalyMetadata | null;
  /** The front end's object for this node. */
  declare pyobj_slot_: object | null;
  /** State of this node in the backward run in progress; see graph_task.ts. */
  declare task_state_: NodeState | null;

  // Note [Fields are assigned, not defined]
  // ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  // Every node class and every structured operator is a subclass, so the constructor of their base sees dozens of
  // object shapes. V8 assigns to many shapes through a cache, but defines class fields on them through the runtime,
  // which is ten times slower. So such a base declares its fields and assigns them. Fields that most nodes never set,
  // or set later, come from the prototype until then: making a node otherwise spent most of its time on twelve
  // assignments to one of dozens of shapes.
  static {
    const fresh = Node.prototype;
    fresh.topological_nr_ = 0;
    fresh.has_parent_ = false;
    fresh.next_edges_ = NO_EDGES;
    fresh.input_metadata_ = NO_INPUTS;
    fresh.pre_hooks_ = NO_HOOKS;
    fresh.tensor_pre_hooks_ = NO_HOOKS;
    fresh.retains_grad_hooks_ = null;
    fresh.post_hooks_ = NO_HOOKS;
    fresh.anomaly_metadata_ = null;
    fresh.pyobj_slot_ = null;
    fresh.task_state_ = null;
  }

  constructor(next_edges: edge_list = NO_EDGES, sequence_nr: number = sequence_number.get_and_increment()) {
    this.sequence_nr_ = sequence_nr;
    if (next_edges !== NO_EDGES) this.set_next_edges(next_edges);
    if (AnomalyMode.is_enabled()) {
      this.metadata().store_stack();
      this.assign_parent();
    }
  }

  /** Runs the node. The caller records it, by `callSlow`; in C++ `operator()` does. */
  abstract apply(inputs: variable_list): variable_list;

  /** The class's name, as `grad_fn.name()` prints it. Each class spells it out, because minifiers rename classes. */
  abstract name(): string;

  /** The forward call's name in messages: `Exp` for `ExpBackward0`, `Pow1` for `PowBackward1`. */
  forward_op_name(): string {
    return this.name().replace(/Backward0?(\d*)$/, "$1");
  }

  /** The name of the node's run in a trace. */
  trace_name(): string {
    const name = this.name(); // hand-written nodes name their namespace themselves
    return `${name.startsWith("torch::") ? "" : "torch::autograd::"}${name}::apply`;
  }

  // Inputs: the outputs of the forward call

  /** Registers one more output of the forward call and returns its number. */
  add_input_metadata(t: Tensor): number {
    return this.append_input_metadata(InputMetadata.of(t));
  }

  /**
   * Like `add_input_metadata`, for a view regenerated from its base: the node's input has the view's shape, which no
   * existing tensor has.
   */
  add_input_metadata_of(
    dtype: ScalarType,
    layout: Layout,
    device: Device,
    shape: readonly number[],
    grad_dtype: ScalarType | null,
  ): number {
    return this.append_input_metadata(new InputMetadata(dtype, layout, device, shape, false, grad_dtype));
  }

  /** `add_input_metadata(undefined_input)`: an output that is not a tensor, or gets no gradient. */
  add_undefined_input(): number {
    return this.append_input_metadata(InputMetadata.UNDEFINED);
  }

  private append_input_metadata(metadata: InputMetadata): number {
    if (this.input_metadata_.length > 0) return this.input_metadata_.push(metadata) - 1;
    this.input_metadata_ = [metadata];
    return 0;
  }

  num_inputs(): number {
    return this.input_metadata_.length;
  }

  input_metadata(index: number): InputMetadata {
    return this.input_metadata_[index];
  }

  clear_input_metadata(): void {
    this.input_metadata_ = NO_INPUTS;
  }

  /** The device on which the node runs: that of its first input that is not on the CPU. */
  device(): Device {
    const metadata = this.input_metadata_;
    for (let i = 0; i < metadata.length; i++) {
      const device = metadata[i].device();
      if (device.type() !== DeviceType.CPU) return device;
    }
    return DEFAULT_CPU;
  }

  /** The stream in which the node runs: that of its first input on an accelerator; null on the CPU. */
  stream(): Stream | null {
    const metadata = this.input_metadata_;
    for (let i = 0; i < metadata.length; i++) {
      const stream = metadata[i].stream();
      if (stream !== null) return stream;
    }
    return null;
  }

  // Outputs: the inputs of the forward call

  private update_topological_nr(edge: Edge): void {
    TORCH_INTERNAL_ASSERT(
      !this.has_parent_,
      "Cannot update a node's topological_nr after it already has a parent." +
        " If we allow this, we can no longer guarantee that a parent's" +
        " topo_nr is always greater than those of all its children",
    );
    const node = edge.function;
    if (node === null) return;
    const topo_nr = node.topological_nr();
    if (this.topological_nr_ <= topo_nr) this.topological_nr_ = topo_nr + 1;
  }

  add_next_edge(edge: Edge): void {
    this.update_topological_nr(edge);
    if (this.next_edges_.length === 0) this.next_edges_ = [edge];
    else this.next_edges_.push(edge);
  }

  set_next_edges(next_edges: edge_list): void {
    this.next_edges_ = next_edges;
    for (let i = 0; i < next_edges.length; i++) this.update_topological_nr(next_edges[i]);
  }

  next_edge(index: number): Edge {
    return this.next_edges_[index];
  }

  next_edges(): edge_list {
    return this.next_edges_;
  }

  num_outputs(): number {
    return this.next_edges_.length;
  }

  // Numbers

  sequence_nr(): number {
    return this.sequence_nr_;
  }

  set_sequence_nr(sequence_nr: number): void {
    this.sequence_nr_ = sequence_nr;
  }

  /** Reading it freezes it; see the Note. */
  topological_nr(): number {
    this.has_parent_ = true;
    return this.topological_nr_;
  }

  /** In anomaly mode: sets the currently running node as this one's parent. */
  assign_parent(): void {
    this.metadata().assign_parent(current_evaluating_node);
  }

  metadata(): AnomalyMetadata {
    this.anomaly_metadata_ ??= make_anomaly_metadata();
    return this.anomaly_metadata_;
  }

  // What to compute

  /** Whether the gradient of the forward call's input `index` is needed. Known when the graph is built. */
  should_compute_output(index: number): boolean {
    TORCH_CHECK(index < this.next_edges_.length, "Index out of range");
    return this.next_edges_[index].is_valid();
  }

  /** `should_compute_output(initializer_list<IndexRange>)`: whether any of these is needed. */
  should_compute_output_any(ranges: readonly IndexRange[]): boolean {
    for (const [begin, end] of ranges) {
      for (let i = begin; i < end; i++) if (this.should_compute_output(i)) return true;
    }
    return false;
  }

  /** Whether the backward run in progress, which may have `inputs=`, needs the gradient. */
  task_should_compute_output(index: number): boolean {
    const next = this.next_edges_[index].function;
    if (next === null) return false;
    const task = current_graph_task;
    return task === null || !task.has_exec_info() || task.should_execute(next);
  }

  task_should_compute_output_any(ranges: readonly IndexRange[]): boolean {
    for (const [begin, end] of ranges) {
      for (let i = begin; i < end; i++) if (this.task_should_compute_output(i)) return true;
    }
    return false;
  }

  // Hooks; see Note [Hooks ordering] in function_hook.ts

  add_post_hook(post_hook: FunctionPostHook): FunctionPostHook {
    if (this.post_hooks_.length === 0) this.post_hooks_ = [];
    this.post_hooks_.push(post_hook);
    return post_hook;
  }

  post_hooks(): FunctionPostHook[] {
    return this.post_hooks_;
  }

  del_post_hook(post_hook: FunctionPostHook): boolean {
    const index = this.post_hooks_.indexOf(post_hook);
    if (index < 0) return false;
    this.post_hooks_.splice(index, 1);
    return true;
  }

  add_pre_hook(pre_hook: FunctionPreHook): void {
    if (this.pre_hooks_.length === 0) this.pre_hooks_ = [];
    this.pre_hooks_.push(pre_hook);
  }

  pre_hooks(): FunctionPreHook[] {
    return this.pre_hooks_;
  }

  add_tensor_pre_hook(pre_hook: FunctionPreHook): void {
    if (this.tensor_pre_hooks_.length === 0) this.tensor_pre_hooks_ = [];
    this.tensor_pre_hooks_.push(pre_hook);
  }

  tensor_pre_hooks(): FunctionPreHook[] {
    return this.tensor_pre_hooks_;
  }

  add_retains_grad_hook(pre_hook: FunctionPreHook, output_nr: number): void {
    this.retains_grad_hooks_ ??= new Map();
    this.retains_grad_hooks_.set(output_nr, pre_hook);
  }

  pop_retains_grad_hook(output_nr: number): FunctionPreHook | null {
    const hook = this.retains_grad_hooks_?.get(output_nr) ?? null;
    this.retains_grad_hooks_?.delete(output_nr);
    return hook;
  }

  retains_grad_hooks(): Map<number, FunctionPreHook> | null {
    return this.retains_grad_hooks_;
  }

  tensor_post_acc_grad_hooks(): PostAccumulateGradHook | null {
    return null;
  }

  // Life

  /** Releases the tensors that forward saved; a second backward then fails with ERR_BACKWARD_TWICE. */
  release_variables(): void {}

  /** Called before `apply` if the run will call `release_variables` after it. */
  will_release_variables(): void {}

  is_traceable(): boolean {
    return false;
  }
}

/** A node whose `apply` consists of differentiable operators, so that double backward is possible. */
export abstract class TraceableFunction extends Node {
  override is_traceable(): boolean {
    return true;
  }
}

/**
 * The cold twin of `node.apply(inputs)`: it also calls the profiler's callbacks and runs in an `engine` event (Note [One road]).
 */
export function callSlow(node: Node, inputs: variable_list): variable_list {
  const guard = record_node(node, inputs);
  try {
    if (tracer === null) return node.apply(inputs);
    const data = { inputs: [inputs], ...node_trace_data(node) };
    return traceCall("engine", node.trace_name(), node.apply.bind(node), [inputs], data);
  } finally {
    guard?.end();
  }
}

/** Fields of a node in a trace: its number, its place in the order of calls, and the targets of its edges. */
export function node_trace_data(node: Node): TraceData {
  const edges = node.next_edges();
  return {
    node,
    sequence_nr: node.sequence_nr() === UINT64_MAX ? undefined : node.sequence_nr(),
    next_edges: edges.map((edge) => edge.function?.name() ?? null),
    edges,
    ...stream_trace_data(node.stream()),
  };
}

/** The stream of an accelerator's node, and the number of events for which it waits; empty if all is in one stream. */
function stream_trace_data(stream: Stream | null): TraceData {
  return stream === null ? {} : { runs_on: stream.str(), waited_events: events_of_current_node() };
}

/** Calls the profiler's callbacks for this node; null if nobody listens. */
function record_node(node: Node, inputs: variable_list): RecordFunction | null {
  const step_callbacks = getStepCallbacksUnlessEmpty(RecordScope.BACKWARD_FUNCTION);
  if (step_callbacks === null) return null;
  const guard = new RecordFunction(step_callbacks);
  const values = guard.needsInputs() ? inputs.map((t) => IValue.fromTensor(t)) : [];
  guard.before(node.name(), node.sequence_nr() === UINT64_MAX ? -1 : node.sequence_nr(), values);
  return guard;
}

let current_evaluating_node: Node | null = null;

export function get_current_node(): Node | null {
  return current_evaluating_node;
}

/** `NodeGuard`: returns the previous node, for the caller to restore. */
export function set_current_node(node: Node | null): Node | null {
  const last_evaluating_node = current_evaluating_node;
  current_evaluating_node = node;
  return last_evaluating_node;
}

let make_anomaly_metadata: () => AnomalyMetadata = () => new AnomalyMetadata();

/**
 * Sets how anomaly metadata is made: the binding's keeps its stack where users can read it
 * (`PythonEngine::make_anomaly_metadata`).
 */
export function set_make_anomaly_metadata(make: () => AnomalyMetadata): void {
  make_anomaly_metadata = make;
}
