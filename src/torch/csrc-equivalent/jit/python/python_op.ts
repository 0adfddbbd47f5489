/**
 * @file The node that calls a function of Python from a script.
 * @mirrors torch/csrc/jit/python/python_ir.cpp#ConcretePythonOp
 * @differs Every argument is a value of the graph: `c` arguments, which a tracer makes, do not exist here.
 */
import { getattr_or_undefined } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { type Graph, Node } from "../ir/ir.ts";

export class ConcretePythonOp extends Node {
  static readonly __name__ = "Node";
  readonly pyobj: unknown;
  /** The class of torch.autograd whose `apply` it calls, or null. */
  readonly autograd_function: unknown;

  constructor(graph: Graph, pyobj: unknown, autograd_function: unknown = null) {
    super(graph, "prim::PythonOp");
    this.pyobj = pyobj;
    this.autograd_function = autograd_function;
  }

  name(): string {
    const named = this.autograd_function ?? this.pyobj;
    return (getattr_or_undefined(named, "__name__") as string | undefined) ?? type_of(named).name;
  }
  writeScalars(): string {
    return "()";
  }
  override allocNewInstance(graph: Graph): Node {
    return new ConcretePythonOp(graph, this.pyobj, this.autograd_function);
  }
}
