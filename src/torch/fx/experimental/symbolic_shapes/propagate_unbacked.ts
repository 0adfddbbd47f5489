/**
 * @file Runs a captured graph once more: the symbols that its nodes make anew are the ones that they had.
 * @mirrors torch/fx/experimental/symbolic_shapes.py#PropagateUnbackedSymInts
 */
import { sym_sizes, sym_storage_offset, sym_strides } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import type { Tensor } from "#torch/_tensor/index";
import { Relation } from "#torch/utils/_sympy/expr";
import type { GraphModule } from "../../graph_module.ts";
import { Interpreter } from "../../interpreter.ts";
import type { Node } from "../../node.ts";
import { SymBool, SymFloat, SymInt } from "../sym_node.ts";
import { type Binding, bindings_of } from "./unbacked_bindings.ts";

/** The part of a value to which a path leads. */
function part_of(value: unknown, path: Binding): unknown {
  let part = value;
  for (const step of path) {
    if (step === "as int") continue;
    if (typeof step === "number") part = (part as readonly unknown[])[step];
    else {
      const [accessor, dim] = step;
      const t = part as Tensor;
      if (accessor === "sym_storage_offset") part = sym_storage_offset(t);
      else part = (accessor === "sym_size" ? sym_sizes(t) : sym_strides(t))[dim as number];
    }
  }
  return part;
}

/** Tells the environment that the symbols of a new value are those which the node had. */
function rebind_unbacked(node: Node, value: unknown): void {
  for (const [old, path] of bindings_of(node)) {
    const part = part_of(value, path);
    if (!(part instanceof SymInt || part instanceof SymFloat || part instanceof SymBool)) continue;
    const { original, shape_env } = part.node;
    const made = original instanceof Relation ? original.lhs.symbol : original.symbol;
    if (made !== null && made !== old) shape_env.rename_unbacked_to(made, old);
  }
}

class PropagateUnbackedSymInts extends Interpreter {
  override run_node(n: Node): unknown {
    const result = super.run_node(n);
    if (n.op !== "placeholder") rebind_unbacked(n, result);
    return result;
  }
}

/** Runs a graph with flat arguments, node by node. */
export function propagate_unbacked(gm: GraphModule, args: readonly unknown[]): unknown {
  const interpreter = new PropagateUnbackedSymInts(gm);
  interpreter.extra_traceback = false;
  return (interpreter.run as (...given: unknown[]) => unknown).call(interpreter, ...args, {
    enable_io_processing: false,
  });
}
