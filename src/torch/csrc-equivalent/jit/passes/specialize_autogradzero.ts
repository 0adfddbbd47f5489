/**
 * @file Follows the zeros of a gradient graph: where an incoming gradient is known, the tests for it vanish.
 * @mirrors torch/csrc/jit/passes/specialize_autogradzero.cpp
 */
import { TensorType } from "#aten/core/jit_type";
import { tensor_facts } from "#aten/core/tensor_type";
import type { Block, Graph, Node, Value } from "../ir/ir.ts";

type State = "Zero" | "Nonzero" | "Unknown";

class AutogradZeroSpecializer {
  private readonly states = new Map<Value, State>();

  run(graph: Graph): void {
    for (const input of graph.inputs()) this.states.set(input, stateOf(input));
    this.specialize(graph.block());
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
        case "prim::GradOf":
          this.specializeGradOf(node);
          break;
        case "prim::profile":
          if (node.outputs().length > 0) this.states.set(node.output(), this.stateOf(node.input()));
          break;
        default:
          for (const inner of node.blocks()) this.specialize(inner);
          for (const output of node.outputs()) this.states.set(output, "Unknown");
      }
    }
  }

  /** A sum with a zero is the other summand. */
  private specializeAdd(node: Node): void {
    const [a, b] = node.inputs();
    const [x, y] = [this.stateOf(a), this.stateOf(b)];
    if (x === "Zero" || y === "Zero") {
      const other = x === "Zero" ? b : a;
      node.output().replaceAllUsesWith(other);
      node.destroy();
    } else if (x === "Nonzero" && y === "Nonzero") {
      const graph = node.owningGraph();
      const one = graph.create("prim::Constant").i_("value", 1).insertBefore(node);
      const sum = graph.create("aten::add", [a, b, one.output()]).insertBefore(node);
      this.states.set(sum.output(), "Nonzero");
      node.output().replaceAllUsesWith(sum.output());
      node.destroy();
    } else {
      this.states.set(node.output(), "Unknown");
    }
  }

  private specializeGradOf(node: Node): void {
    const inputs = node.inputs().map((input) => this.stateOf(input));
    if (inputs.every((state) => state === "Zero")) {
      const zero = node.owningGraph().createAutogradZero().insertBefore(node).output();
      this.states.set(zero, "Zero");
      for (const output of node.outputs()) output.replaceAllUsesWith(zero);
      node.destroy();
      return;
    }
    const [body] = node.blocks();
    if (inputs.every((state) => state === "Nonzero")) {
      for (const inner of body.nodes()) inner.moveBefore(node);
      for (const [i, output] of node.outputs().entries()) {
        this.states.set(body.outputs()[i], "Nonzero");
        output.replaceAllUsesWith(body.outputs()[i]);
      }
      node.destroy();
      return;
    }
    for (const output of node.outputs()) this.states.set(output, "Unknown");
  }
}

/** Whether a graph input is known to be undefined, or defined. */
function stateOf(input: Value): State {
  if (input.type().kind() !== "TensorType" || input.type() === TensorType) return "Unknown";
  const { undefined: known } = tensor_facts(input.type());
  return known === null ? "Unknown" : known ? "Zero" : "Nonzero";
}

export function specializeAutogradZero(graph: Graph): void {
  new AutogradZeroSpecializer().run(graph);
}
