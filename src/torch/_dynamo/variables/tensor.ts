/**
 * @file Tensors, which are nodes of the graph, and numbers that depend on sizes.
 * @mirrors torch/_dynamo/variables/tensor.py
 */
import { AttributeError, NotImplementedError } from "#c10/util/Exception";
import { getattr, getattr_or_undefined } from "#python/Objects/object";
import { bool_type, float_type, int_type, type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import { sym_sizes, sym_strides } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { SymBool, SymFloat, type SymInt } from "#torch/fx/experimental/sym_node";
import { GuardOnDataDependentSymNode } from "#torch/fx/experimental/symbolic_shapes/index";
import type { Node } from "#torch/fx/node";
import type { PyCodegen } from "../codegen.ts";
import { UserError, UserErrorType } from "../exc.ts";
import { unimplemented } from "../graph_break.ts";
import * as graph_break_hints from "../graph_break_hints.ts";
import { ObservedException } from "../observed.ts";
import type { Source } from "../source.ts";
import { type Kwargs, MethodVariable, NO_KWARGS, type Translator, VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";
import { ListVariable, SizeVariable, TupleVariable } from "./lists.ts";
import { LEAKED_REQUIRES_GRAD, NO_REPR, refusal_of } from "./tensor_refusals.ts";

/** A value that a node of the graph computes. */
export abstract class NodeVariable extends VariableTracker {
  private node_: Node;

  constructor(node: Node, source: Source | null = null) {
    super(source);
    this.node_ = node;
  }
  get node(): Node {
    return this.node_;
  }
  /** The value is now what another node computes: the call of the graph in which the first node stands. */
  replace_node(node: Node): void {
    this.node_ = node;
  }
  /** The value while the program is followed: a fake tensor, a symbol. */
  get example_value(): unknown {
    return (this.node.meta as Map<unknown, unknown>).get("example_value");
  }
  override as_proxy(): unknown {
    return this.node;
  }
  override toString(): string {
    return `${this.vt_name}()`;
  }
  /** A tensor takes the program's name. */
  set_name_hint(_name: string): void {}
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_graph_output(this.node);
  }
}

const ATTRIBUTES_OF_METADATA: ReadonlySet<string> = new Set([
  "dtype",
  "device",
  "layout",
  "ndim",
  "requires_grad",
  "is_cuda",
  "is_sparse",
  "is_quantized",
  "is_meta",
  "is_cpu",
  "itemsize",
  "is_nested",
  "names",
]);
const CONSTANT_METHODS: ReadonlySet<string> = new Set([
  "dim",
  "ndimension",
  "is_floating_point",
  "is_complex",
  "is_contiguous",
  "get_device",
  "element_size",
  "is_inference",
]);
const READS_DATA: ReadonlySet<string> = new Set([
  "tolist",
  "numpy",
  "data_ptr",
  "__int__",
  "__float__",
  "__bool__",
  "__index__",
  "storage",
  "untyped_storage",
  "__array__",
  "is_set_to",
  "register_hook",
  "backward",
  "__reduce_ex__",
  "share_memory_",
]);

let tensor_type: TypeObject | null = null;

export class TensorVariable extends NodeVariable {
  /** The tensor in this call, if it is an input. */
  original: Tensor | null = null;
  private is_named = false;
  /** The program's first name for the value becomes the node's. */
  override set_name_hint(name: string): void {
    if (this.is_named || this.node.op === "placeholder") return;
    this.is_named = true;
    this.node._rename(name);
  }
  override is_tensor(): boolean {
    return true;
  }
  get fake(): Tensor {
    return this.example_value as Tensor;
  }
  /** The class that the tensor has when the graph runs. */
  override python_type(): TypeObject {
    if (this.original !== null) return type_of(this.original);
    tensor_type ??= type_of(torch.empty([0]));
    return tensor_type;
  }
  override truth(): null {
    return null;
  }

  override var_getattr(tx: Translator, name: string): VariableTracker {
    if (ATTRIBUTES_OF_METADATA.has(name)) return new ConstantVariable(getattr(this.fake, name));
    if (name === "shape") return this.sizes(tx);
    if (
      name === "data" ||
      name === "T" ||
      name === "mT" ||
      name === "H" ||
      name === "mH" ||
      name === "real" ||
      name === "imag" ||
      name === "grad"
    ) {
      if (name === "grad") {
        if (this.source !== null) return tx.source_attribute(this, name);
        return unimplemented_attribute(this, name);
      }
      return tx.call_node("call_function", tx.builtin("getattr"), [this.node, name], NO_ARGS);
    }
    const member = getattr_or_undefined(this.fake, name);
    if (member === undefined)
      throw new ObservedException(
        as_python_exception(new AttributeError(`'${this.python_type_name()}' object has no attribute '${name}'`)),
      );
    if (typeof member !== "function") return unimplemented_attribute(this, name);
    return new MethodVariable(this, name);
  }

  private sizes(tx: Translator): VariableTracker {
    const sizes = sym_sizes(this.fake);
    const made = new SizeVariable(sizes.map((size, i) => tx.size_of(this, size, i)));
    if (sizes.some((size) => typeof size !== "number")) made.node = tx.output.size_node(this);
    return made;
  }

  override unpack_var_sequence(tx: Translator): VariableTracker[] {
    const size = sym_sizes(this.fake)[0];
    if (size === undefined) throw new NotImplementedError("a tensor without dimensions");
    const length = Number(size);
    return Array.from({ length }, (_, i) => tx.call_operator("getitem", [this, new ConstantVariable(i)]));
  }

  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (name === "size" && kwargs.size <= 1) {
      const dim = args[0] ?? kwargs.get("dim");
      const sizes = this.sizes(tx);
      return dim === undefined ? sizes : sizes.call_method(tx, "__getitem__", [dim], NO_KWARGS);
    }
    if (name === "stride" && sym_strides(this.fake).every((it) => typeof it === "number")) {
      const strides = sym_strides(this.fake) as number[];
      const dim = args[0] ?? kwargs.get("dim");
      if (dim === undefined) return new TupleVariable(strides.map((it) => new ConstantVariable(it)));
      return new ConstantVariable(strides.at(Number(dim.as_python_constant())) ?? null);
    }
    if (name === "numel" || name === "nelement") {
      const sizes = sym_sizes(this.fake);
      if (sizes.every((it) => typeof it === "number"))
        return new ConstantVariable(sizes.reduce((n, it) => n * (it as number), 1));
    }
    if (name === "__len__") return this.sizes(tx).call_method(tx, "__getitem__", [new ConstantVariable(0)], NO_KWARGS);
    if (CONSTANT_METHODS.has(name) && args.length === 0 && kwargs.size === 0)
      return new ConstantVariable((getattr(this.fake, name) as () => unknown)());
    if (name === "item" && args.length === 0) {
      if (!tx.output.shape_env.allow_scalar_outputs) return unsupported_item();
      return tx.call_node("call_method", "item", [this.node], NO_ARGS);
    }
    if (name === "tolist" && tx.output.shape_env.allow_scalar_outputs) return this.tolist(tx);
    if (name === "__repr__" || name === "__str__") unimplemented(NO_REPR(this.python_type_name()));
    if (READS_DATA.has(name)) return this.refuse(tx, name, args, kwargs);
    if (name === "__setitem__") {
      tx.call_operator("setitem", [this, ...args]);
      return new ConstantVariable(null);
    }
    if (name === "requires_grad_" && kwargs.size === 0) {
      const wanted = args[0] === undefined || args[0].truth(tx);
      if (wanted === this.fake.requires_grad) return this;
      if (this.original === null) unimplemented(LEAKED_REQUIRES_GRAD(this.toString()));
    }
    if (
      name === "requires_grad_" ||
      name === "retain_grad" ||
      name === "detach_" ||
      name === "resize_" ||
      name === "set_"
    )
      return this.refuse(tx, name, args, kwargs);
    return tx.call_node("call_method", name, [this.node, ...args.map((arg) => arg.as_proxy())], proxies(kwargs));
  }

  /** The elements one by one. */
  private tolist(tx: Translator): VariableTracker {
    if (this.fake.dim() === 0) return this.call_method(tx, "item", [], NO_KWARGS);
    const length = Number(sym_sizes(this.fake)[0]);
    const row = (i: number): VariableTracker =>
      (tx.call_operator("getitem", [this, new ConstantVariable(i)]) as TensorVariable).tolist(tx);
    return new ListVariable(
      Array.from({ length }, (_, i) => row(i)),
      null,
      "new",
    );
  }

  private refuse(tx: Translator, name: string, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const reason = refusal_of(name);
    return reason === undefined ? super.call_method(tx, name, args, kwargs) : unimplemented(reason(this.toString()));
  }
}

export const NO_ARGS: ReadonlyMap<string, unknown> = new Map();
export const proxies = (kwargs: Kwargs): Map<string, unknown> =>
  new Map([...kwargs].map(([name, value]) => [name, value.as_proxy()]));

function unsupported_item(): never {
  return unimplemented({
    gb_type: "Unsupported Tensor.item() call with capture_scalar_outputs=False",
    context: "call_method TensorVariable() item () {}",
    explanation: "Dynamo does not support tracing `Tensor.item()` with config.capture_scalar_outputs=False.",
    hints: [
      "Set `torch._dynamo.config.capture_scalar_outputs = True` or `export TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1` to include these operations in the captured graph.",
    ],
  });
}

function unimplemented_attribute(variable: VariableTracker, name: string): never {
  return unimplemented({
    gb_type: "Unsupported attribute access",
    context: `var_getattr ${variable.toString()} ${name}`,
    explanation: `Dynamo does not know how to get the attribute \`${name}\` of a tensor.`,
    hints: [...graph_break_hints.SUPPORTABLE],
  });
}

/** A number that the graph computes. Whoever needs the number itself fixes it to that of this call. */
export abstract class NumberVariable extends NodeVariable {
  /** The number in this call; from now on the compiled form is right for it alone. */
  abstract evaluate(): unknown;
  fixed(): ConstantVariable {
    return new ConstantVariable(this.evaluate());
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    return this.fixed().call_method(tx, name, args, kwargs);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return this.fixed().var_getattr(tx, name);
  }
  /** A float leaves the graph as a tensor, whose number is then asked for. */
  override reconstruct(codegen: PyCodegen): void {
    if (this.python_type() !== float_type) {
      codegen.load_graph_output(this.node);
      return;
    }
    codegen.load_graph_output(codegen.tx.output.as_tensor(this));
    codegen.load_attr("item");
    codegen.push_null_below();
    codegen.call(0);
  }
}

function decided<R>(ask: () => R): R {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof GuardOnDataDependentSymNode)) throw error;
    const message = `Consider annotating your code using torch._check*(). ${error.message}`;
    throw new UserError(UserErrorType.ANTI_PATTERN, message, "constrain_as_size_example");
  }
}

/** An int, float or bool that depends on sizes. */
export class SymNodeVariable extends NumberVariable {
  readonly sym: SymInt | SymFloat | SymBool;

  constructor(node: Node, sym: SymInt | SymFloat | SymBool, source: Source | null = null) {
    super(node, source);
    this.sym = sym;
  }
  override python_type(): TypeObject {
    return this.sym instanceof SymBool ? bool_type : this.sym instanceof SymFloat ? float_type : int_type;
  }
  /** A condition on sizes is decided here and becomes a guard. @throws {UserError} if it depends on data */
  override truth(): boolean {
    return decided(() => Boolean((this.sym as SymBool).__bool__()));
  }
  evaluate(): number | boolean {
    return this.sym instanceof SymBool ? this.truth() : decided(() => this.sym.guard() as number);
  }
}
