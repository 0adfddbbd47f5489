/**
 * @file The engine: runs the nodes of a graph, each when all its gradients are there, the youngest first.
 * @mirrors torch/csrc/autograd/engine.h
 * @differs One thread does everything: it works through the queues of all devices (ready_queue.ts), and there are no delayed warnings.
 * @differs Nothing runs deep re-entrance on further threads: about 400 backward calls fit one inside the other on Node's
 * stack of 984 KB, and one more is a RuntimeError that names the number; PyTorch takes another thread from the 60th on.
 */
import { hasStepCallbacks, RECORD_FUNCTION_WITH_SCOPE, RecordScope } from "#aten/record_function";
import { AutogradState } from "#c10/core/AutogradState";
import { GradMode } from "#c10/core/GradMode";
import {
  is_stack_overflow,
  RuntimeError,
  TORCH_CHECK,
  TORCH_CHECK_VALUE,
  TORCH_INTERNAL_ASSERT,
  TORCH_WARN_ONCE,
} from "#c10/util/Exception";
import { GraphRoot } from "#torch/csrc-equivalent/autograd/functions/basic_ops";
import {
  CPU_DEVICE,
  current_graph_task,
  GraphTask,
  NO_DEVICE,
  set_current_graph_task,
} from "#torch/csrc-equivalent/autograd/graph_task";
import { InputBuffer } from "#torch/csrc-equivalent/autograd/input_buffer/index";
import { run_on_stream } from "#torch/csrc-equivalent/autograd/input_buffer/streams";
import {
  type edge_list,
  type Node,
  set_current_node,
  UINT64_MAX,
  type variable_list,
} from "#torch/csrc-equivalent/autograd/node";
import { OwningList } from "#torch/csrc-equivalent/autograd/owning_list";
import { evaluate_function } from "./evaluate_function.ts";
import {
  device_ready_queues_,
  make_device_queues,
  most_urgent,
  NodeTask,
  ReadyQueue,
  ready_queue,
} from "./ready_queue.ts";
import { validate_outputs } from "./validate_outputs.ts";

// Note [The engine in miniature]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   function execute(root: Node, grad: Tensor) {
//     const waits_for = count_edges_to_each_node_below(root);              // compute_dependencies
//     const buffers = new Map([[root, new InputBuffer(grad)]]);
//     const ready = new ReadyQueue(root);
//     while (!ready.empty()) {                                             // thread_main
//       const fn = ready.pop();                                            // of those ready, the node made last
//       const outputs = fn.apply(buffers.get(fn));                         // evaluate_function: call,
//       validate_outputs(fn.next_edges(), outputs);                        // validate,
//       for (const [i, { function: next, input_nr }] of fn.next_edges()) { // pass on
//         buffers.get(next).add(input_nr, outputs[i]);                     // several gradients of one tensor: their sum
//         if (--waits_for[next] === 0) ready.push(next);
//       }
//     }
//   }
// Nothing is returned: the nodes at the end, AccumulateGrad, add what they get into `.grad` of a leaf and have no edges.
// All else is around this loop: hooks, `inputs=` (graph_task.ts), a run inside a run, errors, and who owns a gradient
// (owning_list.ts).

// Note [Reentrant backwards]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A node may itself call backward (checkpointing does). The inner run gets its own GraphTask and a greater depth, its tasks go
// to the same queue, and `thread_main` is entered again until the inner task is complete. Depth sorts before sequence number,
// so the inner loop never takes a task of the outer run while its own are ready.
//
// Each inner run stands on the stack with some fifteen functions, from the user's `backward` to `evaluate_function`, in 2.3 KB. So
// they hold few variables, hand work that is done before the node is called to functions of their own, and are recorded by their
// callers. Some 400 runs inside runs fit; when the stack is full, the innermost run that has room to say so makes the error one of
// ours, and all runs put back what they found.

/** From this depth on PyTorch lends each run a thread of its own, for the sake of its stack. */
const MAX_DEPTH = 60;

/** The queue on which this thread works: `CPU_DEVICE`, the index of an accelerator's device, or `NO_DEVICE` outside a run. */
let worker_device = NO_DEVICE;
/** Number of nested runs on this thread. */
let total_depth = 0;
let local_ready_queue: ReadyQueue | null = null;

export class Engine {
  static get_default_engine(): Engine {
    return default_engine;
  }

  /**
   * Computes gradients. The caller records the call in a trace: a recorder's function in between would be on the stack
   * of every run.
   * @param roots the edges to begin at; @param grads their gradients
   * @param keep_graph leave saved tensors for another backward; @param create_graph record the computation of the gradients
   * @param accumulate_grad whether to add into `.grad` (backward) or to return them (grad)
   * @param outputs the edges whose gradients are wanted; all leaves if empty
   */
  execute(
    roots: edge_list,
    grads: variable_list,
    keep_graph: boolean,
    create_graph: boolean,
    accumulate_grad: boolean,
    outputs: edge_list,
  ): variable_list {
    // The caller's list, which holds the gradients while we run.
    const inputs = new OwningList(validated_inputs(roots, grads, accumulate_grad && create_graph));
    TORCH_CHECK_VALUE(accumulate_grad || outputs.length > 0, "grad requires non-empty inputs.");
    const graph_task = make_graph_task(roots, keep_graph, create_graph);
    // A single root needs no node above it.
    const graph_root = roots.length === 1 ? graph_task.graph_roots_[0] : new GraphRoot(roots, inputs);
    find_what_to_execute(graph_task, graph_root, outputs, accumulate_grad);
    execute_with_graph_task(graph_task, graph_root, first_input_buffer(roots, inputs));

    if (graph_root instanceof GraphRoot) graph_root.outputs.clear();
    inputs.clear();
    if (graph_task.has_error_) throw error_of(graph_task);
    return graph_task.future_value_;
  }

  /** Runs `callback` when the backward in progress is complete. */
  queue_callback(callback: () => void): void {
    TORCH_CHECK(current_graph_task !== null, "Final callbacks can only be installed during backward pass.");
    current_graph_task.final_callbacks_.push(callback);
  }

  /**
   * Whether reentrant checkpointing is possible: it works only if everything runs, and with `inputs=` it would compute
   * too little.
   */
  is_checkpoint_valid(): boolean {
    return current_graph_task === null || !current_graph_task.has_exec_info();
  }
}

const default_engine = new Engine();

function identity(message: string): string {
  return message;
}

/** The error that ended the run. If there were too many nested runs, the error says how many. */
function error_of(graph_task: GraphTask): unknown {
  const error = graph_task.future_error_;
  const depth = graph_task.reentrant_depth_;
  if (depth < MAX_DEPTH || !is_stack_overflow(error)) return error;
  return new RuntimeError(
    `Too many backward calls inside backward calls: ${depth + 1} of them fill JavaScript's stack (${(error as Error).message}). ` +
      "In Node, `node --stack-size=N` moves this limit (N is in KB, 984 by default).",
  );
}

// The parts of `execute` before the run are functions of their own, because a nested run has all variables of its
// callers on the stack; see Note [Reentrant backwards].

function validated_inputs(roots: edge_list, grads: variable_list, makes_cycle: boolean): variable_list {
  const validated = [...grads];
  validate_outputs(roots, validated, identity);
  if (makes_cycle) {
    TORCH_WARN_ONCE(
      "Using backward() with create_graph=True will create a reference cycle " +
        "between the parameter and its gradient which can cause a memory leak. " +
        "We recommend using autograd.grad when creating the graph to avoid this. " +
        "If you have to use this function, make sure to reset the .grad fields of " +
        "your parameters to None after use to break the cycle and avoid the leak.",
    );
  }
  return validated;
}

function make_graph_task(roots: edge_list, keep_graph: boolean, create_graph: boolean): GraphTask {
  local_ready_queue ??= new ReadyQueue();
  make_device_queues();
  const reentrant_depth = worker_device === NO_DEVICE ? 0 : total_depth + 1;
  const graph_roots: Node[] = [];
  for (let i = 0; i < roots.length; i++) graph_roots.push(roots[i].function as Node);
  const graph_task = new GraphTask(keep_graph, create_graph, reentrant_depth, local_ready_queue, graph_roots);
  graph_task.stash_current_streams(device_ready_queues_.length);
  return graph_task;
}

function find_what_to_execute(task: GraphTask, root: Node, outputs: edge_list, accumulate_grad: boolean): void {
  const min_topo_nr = compute_min_topological_nr(outputs);
  compute_dependencies(root, task, min_topo_nr);
  if (outputs.length > 0) task.init_to_execute(root, outputs, accumulate_grad, min_topo_nr);
}

/** The buffer of the first node: a single root finds its gradient there; with several roots, the node above them holds it. */
function first_input_buffer(roots: edge_list, inputs: OwningList): InputBuffer {
  if (roots.length !== 1) return new InputBuffer(0);
  const input_nr = roots[0].input_nr;
  const root = roots[0].function as Node;
  const input_buffer = new InputBuffer(root.num_inputs());
  input_buffer.add(input_nr, inputs.copy(), 0, null, root);
  return input_buffer;
}

/** The smallest topological number among `outputs`: a node with a smaller one cannot lead to any of them. */
function compute_min_topological_nr(outputs: edge_list): number {
  // No outputs: every leaf is wanted, and a leaf's number is 0.
  if (outputs.length === 0) return 0;
  let min_topo_nr = UINT64_MAX;
  for (const output_edge of outputs) {
    min_topo_nr = Math.min(min_topo_nr, (output_edge.function as Node).topological_nr());
  }
  return min_topo_nr;
}

/** Counts, for every node below `root`, how many gradients it must wait for. */
function compute_dependencies(root: Node, task: GraphTask, min_topo_nr: number): void {
  const queue: Node[] = [root];
  const nodes_in_graph = task.nodes_in_graph_;
  while (queue.length > 0) {
    const fn = queue.pop() as Node;
    if (fn.topological_nr() < min_topo_nr) continue;
    const edges = fn.next_edges();
    for (let i = 0; i < edges.length; i++) {
      const next = edges[i].function;
      if (next === null) continue;
      const state = task.materialize_state(next);
      state.dependencies++;
      if (!state.in_graph) {
        state.in_graph = true;
        nodes_in_graph.push(next);
        queue.push(next);
      }
    }
  }
}

function execute_with_graph_task(graph_task: GraphTask, graph_root: Node, input_buffer: InputBuffer): void {
  // A call that is not nested: this thread is the worker until it ends. Tasks that a failed run left in the queue are removed.
  const is_fresh = worker_device === NO_DEVICE;
  if (is_fresh) {
    graph_task.cpu_ready_queue_.clear();
    for (const queue of device_ready_queues_) queue.clear();
    worker_device = CPU_DEVICE;
  } else {
    ++total_depth;
  }
  graph_task.owner_ = worker_device;
  const queue = ready_queue(graph_task.cpu_ready_queue_, graph_root);
  queue.push(new NodeTask(graph_task, graph_root, input_buffer));
  const outside = new Outside();
  try {
    thread_main(graph_task);
  } finally {
    outside.restore();
    worker_device = is_fresh ? NO_DEVICE : graph_task.owner_;
    if (!is_fresh) --total_depth;
  }
  TORCH_INTERNAL_ASSERT(graph_task.future_completed_);
}

/** State that is restored before every node, as it was outside the run. */
class Outside {
  private readonly grad_mode = GradMode.is_enabled();
  private readonly task = current_graph_task;
  private readonly node = set_current_node(null);

  restore(): void {
    set_current_graph_task(this.task);
    set_current_node(this.node);
    GradMode.set_enabled(this.grad_mode);
  }
}

/** Works through the queue until `graph_task` is complete. */
function thread_main(graph_task: GraphTask): void {
  while (!graph_task.future_completed_) {
    const task = pop_task(graph_task.cpu_ready_queue_);
    const local_graph_task = task.base_;
    if (!local_graph_task.has_error_) {
      // A node may leave grad mode changed, so it is set before each.
      GradMode.set_enabled(local_graph_task.grad_mode_);
      set_current_graph_task(local_graph_task);
      set_current_node(task.fn_);
      try {
        if (device_ready_queues_.length > 0) evaluate_on_stream(task);
        else if (hasStepCallbacks) evaluate_recorded(task);
        else evaluate_function(local_graph_task, task.fn_, task.inputs_, local_graph_task.cpu_ready_queue_);
      } catch (error) {
        local_graph_task.set_exception(error, task.fn_);
      }
    }
    task.inputs_.clear(); // the task ends here, together with the tensors that an error left in its buffer
    --local_graph_task.outstanding_tasks_;
    if (local_graph_task.completed()) local_graph_task.mark_as_completed_and_run_post_processing();
  }
}

/** Takes the most urgent task of all queues; this thread then works on that queue. */
function pop_task(cpu_ready_queue: ReadyQueue): NodeTask {
  if (device_ready_queues_.length === 0) return cpu_ready_queue.pop();
  worker_device = most_urgent(cpu_ready_queue);
  return (worker_device === CPU_DEVICE ? cpu_ready_queue : device_ready_queues_[worker_device]).pop();
}

/** One step if there is an accelerator: it runs in the node's stream, if the node has one; see Note [Streaming backwards]. */
function evaluate_on_stream(task: NodeTask): void {
  const evaluate = (): void => {
    if (hasStepCallbacks) evaluate_recorded(task);
    else evaluate_function(task.base_, task.fn_, task.inputs_, task.base_.cpu_ready_queue_);
  };
  const stream = task.fn_.stream();
  if (stream === null) evaluate();
  else run_on_stream(stream, task.inputs_, evaluate);
}

/** One step as the profiler sees it: an entry around the node. */
function evaluate_recorded(task: NodeTask): void {
  const name = `autograd::engine::evaluate_function: ${task.fn_.name()}`;
  const sequence_nr = task.fn_.sequence_nr();
  RECORD_FUNCTION_WITH_SCOPE(
    RecordScope.FUNCTION,
    name,
    [],
    () => evaluate_function(task.base_, task.fn_, task.inputs_, task.base_.cpu_ready_queue_),
    sequence_nr === UINT64_MAX ? -1 : sequence_nr,
  );
}

/** The nodes that the run in progress has yet to run, in the order determined by its graph as built. */
export function get_current_graph_task_execution_order(): Node[] {
  const task = current_graph_task;
  if (task === null) return [];
  TORCH_CHECK(
    !AutogradState.get_tls_state().get_multithreading_enabled(),
    "get_current_graph_task_execution_order expects the current backward to be executed with multithreading disabled, " +
      "e.g. by running:\n\n>>> with torch.autograd.set_multithreading_enabled(False):\n...     torch.autograd.grad(...)\n",
  );
  const heap = new ReadyQueue();
  const dependencies = new Map<Node, number>();
  for (const root of task.graph_roots_) heap.push(new NodeTask(task, root, new InputBuffer(0)), false);
  const all: Node[] = [...task.graph_roots_, ...task.nodes_in_graph_];
  const counted = new Set<Node>();
  for (const node of all) {
    if (counted.has(node)) continue;
    counted.add(node);
    for (const edge of node.next_edges()) {
      if (edge.function !== null) dependencies.set(edge.function, (dependencies.get(edge.function) ?? 0) + 1);
    }
  }
  const out: Node[] = [];
  while (!heap.empty()) {
    const fn = heap.pop().fn_;
    out.push(fn);
    for (const edge of fn.next_edges()) {
      const next = edge.function;
      if (next === null) continue;
      const left = (dependencies.get(next) as number) - 1;
      dependencies.set(next, left);
      if (left === 0 && (!task.has_exec_info() || task.should_execute(next))) {
        heap.push(new NodeTask(task, next, new InputBuffer(0)), false);
      }
    }
  }
  return out;
}
