/**
 * @file Follows the zeros of a gradient graph: where an incoming gradient is known to be zero, or not to be, the tests for it vanish.
 * @mirrors torch/csrc/jit/passes/specialize_autogradzero.cpp
 *
 * The mechanism in miniature: the profile says which gradients were undefined and which sizes were None. The graph is copied into the
 * first branch of an If that checks just that, and specialized there; the second branch is the graph as it was.
 *
 *     %all : bool = ...AutogradAllNonZero(%0), AutogradAllZero(%1), %size is None...
 *     %r : (Tensor) = prim::If(%all)
 *       block0(): specialized
 *       block1(): prim::FallbackGraph
 */
import { Dict } from "#aten/core/Dict";
import { IValue } from "#aten/core/ivalue";
import { BoolType, IntType, ListType, NoneType, StringType, TensorType } from "#aten/core/jit_type";
import { pop, type Stack } from "#aten/core/stack";
import { tensor_facts } from "#aten/core/tensor_type";
import { insert } from "../frontend/schema_matching.ts";
import { SourceRange } from "../frontend/source_range.ts";
import { type Block, type Graph, type Node, type Value, WithInsertPoint } from "../ir/ir.ts";
import { executor_settings } from "../runtime/executor_settings.ts";
import type { ProfilingRecord } from "../runtime/profiling_record.ts";
import { replaceBlockWithFallbackGraph } from "./utils/fallback_graph.ts";

type State = "Zero" | "Nonzero" | "Unknown";

/** The attribute of a `prim::profile_ivalue` that counts how often a value was None. */
const COUNTS = "none_counts";

/** How often a node saw None, or a value. */
function countOf(node: Node, name: "num_none" | "num_present"): number {
  return (node.ival(COUNTS).toGenericDict().find(IValue.fromString(name)) as IValue).toInt(); // set when the node was made
}

/** Puts a node behind each size that a gradient is summed to: it counts how often there was nothing to sum. */
export function InsertProfileNodesForSpecializeAutogradZero(record: ProfilingRecord): void {
  const visit = (block: Block): void => {
    for (const node of block.nodes()) {
      for (const input of [...node.inputs()]) {
        const summed = input.uses().some(({ user }) => user.kind() === "aten::_grad_sum_to_size");
        if (input.type().kind() === "OptionalType" && summed) insertCounter(record, input);
      }
      for (const inner of node.blocks()) visit(inner);
    }
  };
  visit(record.graph().block());
}

function insertCounter(record: ProfilingRecord, value: Value): void {
  const counts = new Dict(StringType, IntType);
  for (const name of ["num_none", "num_present"]) counts.insert(IValue.fromString(name), IValue.fromInt(0));
  const counter = record.createProfileIValueNode(value);
  counter.ival_(COUNTS, IValue.fromDict(counts));
  counter.setCallback((stack: Stack) => {
    pop(stack); // the frame
    const name = IValue.fromString(stack[stack.length - 1].isNone() ? "num_none" : "num_present");
    counts.insert_or_assign(name, IValue.fromInt((counts.find(name) as IValue).toInt() + 1));
  });
  counter.insertAfter(value.node());
  value.replaceAllUsesAfterNodeWith(counter, counter.output());
}

class AutogradZeroSpecializer {
  private readonly graph: Graph;
  private readonly states = new Map<Value, State>();
  /** Sizes that were None whenever they were profiled. */
  private readonly profiled_none = new Set<Value>();

  constructor(graph: Graph) {
    this.graph = graph;
  }

  run(): void {
    if (!this.isBackwardGraph()) return;
    if (!executor_settings.executor_mode) {
      for (const input of this.graph.inputs()) this.states.set(input, stateOfType(input));
      this.specialize(this.graph.block());
      return;
    }
    const versioned = this.guardSpecializations();
    if (versioned !== null) this.specialize(versioned.blocks()[0]);
  }

  private isBackwardGraph(): boolean {
    const kinds = ["prim::AutogradAnyNonZero", "prim::AutogradAdd", "aten::_grad_sum_to_size"];
    return this.graph.nodes().some((node) => kinds.includes(node.kind()));
  }

  /** The If whose first branch may be specialized; null if the profile says nothing. */
  private guardSpecializations(): Node | null {
    const graph = this.graph;
    const branch = graph.create("prim::If", [], graph.outputs().length);
    const [optimized, fallback] = [branch.addBlock(), branch.addBlock()];
    for (const block of [optimized, fallback]) {
      block.cloneFrom(graph.block(), (value) => value);
      for (const [i, input] of graph.inputs().entries()) block.inputs()[i].replaceAllUsesWith(input);
      for (let i = block.inputs().length - 1; i >= 0; i--) block.eraseInput(i);
    }
    replaceBlockWithFallbackGraph(fallback, graph.inputs());

    const guard = new WithInsertPoint(graph.param_node().next());
    const checks = this.insertChecks();
    if (checks === null) {
      guard.restore();
      branch.destroy();
      return null; // dead code elimination removes what was inserted
    }
    const list = graph.insertNode(graph.createList(BoolType, checks)).output();
    branch.addInput(insert(graph, "aten::all", [list], [], SourceRange.empty()));
    graph.insertNode(branch);
    for (const [i, output] of graph.outputs().entries()) {
      const result = branch.output(i).copyMetadata(output);
      graph.return_node().replaceInput(i, result);
    }
    guard.restore();
    for (const node of graph.nodes().reverse()) {
      if (node === branch) break;
      node.destroy();
    }
    return branch;
  }

  /** Asks whether each input is what its profile says. Null if no profile says anything about a gradient. */
  private insertChecks(): Value[] | null {
    const graph = this.graph;
    const none = graph.insertConstant(IValue.None);
    const checks: Value[] = [];
    const zero: Value[] = [];
    const nonzero: Value[] = [];
    for (const input of graph.inputs()) {
      const counters = countersOf(input);
      if (counters.length > 0) {
        if (countOf(counters[0], "num_present") === 0 && countOf(counters[0], "num_none") !== 0) {
          checks.push(insert(graph, "aten::__is__", [input, none], [], SourceRange.empty()));
          this.profiled_none.add(input);
        }
        for (const counter of counters) counter.output().replaceAllUsesWith(counters[0].input());
        continue;
      }
      if (input.type().kind() !== "TensorType") continue;
      const profile = input.uses().find(({ user }) => user.kind() === "prim::profile")?.user;
      if (profile === undefined) continue;
      const { undefined: is_undefined } = tensor_facts(profile.ty("profiled_type"));
      if (is_undefined === null) continue;
      this.states.set(input, is_undefined ? "Zero" : "Nonzero");
      (is_undefined ? zero : nonzero).push(input);
    }
    if (zero.length === 0 && nonzero.length === 0) return null;
    for (const [kind, values] of [
      ["prim::AutogradAllNonZero", nonzero],
      ["prim::AutogradAllZero", zero],
    ] as const) {
      const check = insert(graph, kind, [], [], SourceRange.empty());
      for (const value of values) check.node().addInput(value);
      checks.push(check);
    }
    return checks;
  }

  private stateOf(value: Value): State {
    return this.states.get(value) ?? "Unknown";
  }

  private specialize(block: Block): void {
    for (const node of block.nodes()) {
      switch (node.kind()) {
        case "prim::AutogradAdd":
          this.specializeAdd(node);
          break;
        case "prim::AutogradZero":
          this.states.set(node.output(), "Zero");
          break;
        case "prim::profile":
          if (node.inputs().length > 0) this.states.set(node.output(), this.stateOf(node.input()));
          break;
        case "prim::If":
          if (this.specializeBranch(node)) break;
          for (const output of node.outputs()) this.states.set(output, "Unknown");
          break;
        default:
          for (const output of node.outputs()) this.states.set(output, "Unknown");
      }
    }
  }

  /** A sum with a zero is the other summand. */
  private specializeAdd(node: Node): void {
    const [a, b] = node.inputs();
    const [x, y] = [this.stateOf(a), this.stateOf(b)];
    if (x === "Zero" || y === "Zero") {
      node.output().replaceAllUsesWith(x === "Zero" ? b : a);
      node.destroy();
    } else if (x === "Nonzero" && y === "Nonzero") {
      const guard = new WithInsertPoint(node);
      const one = this.graph.insertConstant(IValue.fromInt(1));
      const sum = this.graph.insertNode(this.graph.create("aten::add", [a, b, one])).output();
      guard.restore();
      this.states.set(sum.setType(node.output().type()), "Nonzero");
      node.output().replaceAllUsesWith(sum);
      node.destroy();
    } else {
      this.states.set(node.output(), "Unknown");
    }
  }

  /** Specializes the If that a `prim::GradOf` became. Returns whether it vanished. */
  private specializeBranch(node: Node): boolean {
    const test = node.input(0).node();
    if (test.kind() !== "prim::AutogradAnyNonZero") return false;
    const inputs = test.inputs().map((input) => this.stateOf(input));
    if (inputs.every((state) => state === "Zero")) {
      const zero = this.graph.createAutogradZero().insertAfter(node).output();
      this.states.set(zero, "Zero");
      for (const output of node.outputs()) output.replaceAllUsesWith(zero);
      node.destroy();
      return true;
    }
    const [body] = node.blocks();
    this.removeSumsToNone(body);
    if (!inputs.every((state) => state === "Nonzero")) return false;
    for (const inner of body.nodes()) inner.moveBefore(node);
    for (const [i, output] of node.outputs().entries()) {
      output.replaceAllUsesWith(body.outputs()[i]);
      this.states.set(body.outputs()[i], "Nonzero");
    }
    node.destroy();
    return true;
  }

  /** A sum to a size that is None is no sum. */
  private removeSumsToNone(block: Block): void {
    for (const node of block.nodes()) {
      if (node.kind() !== "aten::_grad_sum_to_size") continue;
      const size = node.input(1);
      let is_none = this.profiled_none.has(size) || size.mustBeNone();
      for (let from = size.node(); !is_none && from.kind() === "prim::profile_ivalue"; from = from.input(0).node())
        is_none = this.profiled_none.has(from.input(0));
      if (!is_none) continue;
      node.output().replaceAllUsesWith(node.input(0));
      node.destroy();
    }
  }
}

/** The counters behind a value, and those behind them. */
function countersOf(value: Value): Node[] {
  return value.uses().flatMap(({ user }) => {
    if (user.kind() !== "prim::profile_ivalue") return [];
    return [...(user.hasAttribute(COUNTS) ? [user] : []), ...countersOf(user.output())];
  });
}

/** The state that an input has by its type. */
function stateOfType(input: Value): State {
  const type = input.type();
  if (type.kind() === "TensorType") {
    const { undefined: is_undefined } = tensor_facts(type);
    return is_undefined === null ? "Unknown" : is_undefined ? "Zero" : "Nonzero";
  }
  const holds_tensors =
    type !== NoneType && (type.isSubtypeOf(TensorType) || type.isSubtypeOf(ListType.create(TensorType)));
  return holds_tensors ? "Nonzero" : "Unknown";
}

export function specializeAutogradZero(graph: Graph): void {
  new AutogradZeroSpecializer(graph).run();
}
