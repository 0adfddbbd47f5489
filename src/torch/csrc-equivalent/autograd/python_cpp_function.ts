/**
 * @file The object `x.grad_fn`: the front end's object for a node, with a class named like the node.
 * @mirrors torch/csrc/autograd/python_cpp_function.h
 */

import type { Node as NodeOfAten } from "#aten/core/VariableHooksInterface";
import { Tensor } from "#aten/generated/core/TensorBody";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { pack, tuple_map } from "#python/Objects/tupleobject";
import { isDict } from "#torch/csrc-equivalent/utils/python_numbers";
import { AccumulateGrad } from "./functions/accumulate_grad.ts";
import { PySavedTensor } from "./init/saved_tensor.ts";
import type { InputMetadata } from "./input_metadata.ts";
import { type Node, UINT64_MAX } from "./node.ts";
import type { PyAnomalyMetadata } from "./python_anomaly_mode.ts";
import {
  type HookDict,
  PyFunctionPostHook,
  PyFunctionPreHook,
  PyFunctionTensorPreHook,
  type PyHook,
} from "./python_hook.ts";
import { THPVariable_Check, THPVariable_Unpack } from "./python_variable/type.ts";
import { THPVariable_Wrap } from "./python_variable/wrap.ts";
import { SavedVariable } from "./saved_variable.ts";

/** The members of every node object, including a user's Function. */
export interface PyNodeObject {
  readonly next_functions: readonly (readonly [PyNodeObject | null, number])[];
  readonly metadata: Map<unknown, unknown>;
  name(): string;
  _sequence_nr(): number | bigint;
  register_hook(hook: PyHook): RemovableHandle;
  register_prehook(hook: PyHook): RemovableHandle;
}

export interface RemovableHandle {
  readonly id: number;
  remove(): void;
}

export interface THPCppFunction {
  // biome-ignore lint/style/useShorthandFunctionType: it is merged with the class below and adds the call
  (...inputs: unknown[]): unknown;
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: see above
export class THPCppFunction implements PyNodeObject {
  declare readonly cdata: Node;

  /** A node is a function, because `grad_fn(x)` calls it. */
  constructor(cdata: Node) {
    const self = ((...inputs: unknown[]) => THPCppFunction_call(cdata, inputs)) as unknown as THPCppFunction;
    delete (self as { name?: unknown }).name; // it would hide the method
    Object.defineProperty(self, "cdata", { value: cdata });
    // biome-ignore lint/correctness/noConstructorReturn: see above
    return Object.setPrototypeOf(self, new.target.prototype) as THPCppFunction;
  }

  get next_functions(): readonly (readonly [PyNodeObject | null, number])[] {
    return next_functions_of(this.cdata);
  }

  get requires_grad(): boolean {
    return true;
  }

  get metadata(): Map<unknown, unknown> {
    return (this.cdata.metadata() as PyAnomalyMetadata).dict();
  }

  get _input_metadata(): readonly InputMetadata[] {
    return input_metadata_of(this.cdata);
  }

  name(): string {
    return this.cdata.name();
  }

  _sequence_nr(): number | bigint {
    return sequence_nr_of(this.cdata);
  }

  _set_sequence_nr(sequence_nr: number): void {
    this.cdata.set_sequence_nr(sequence_nr);
  }

  /** Makes the hooks of a tensor run when its gradient reaches this node. */
  _register_hook_dict(variable: unknown): void {
    register_hook_dict(this.cdata, variable);
  }

  register_hook(hook: PyHook): RemovableHandle {
    return registerFunctionHook(this.cdata, hook);
  }

  register_prehook(hook: PyHook): RemovableHandle {
    return registerFunctionPreHook(this.cdata, hook);
  }

  toString(): string {
    return `<${this.constructor.name} object>`;
  }

  /** Makes Node's console print a graph's node as Python would, instead of the whole graph. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/** Runs a node on gradients: the node's formula alone, not the graph behind it. */
function THPCppFunction_call(cdata: Node, inputs: readonly unknown[]): unknown {
  if (isDict(inputs.at(-1))) throw new TypeError_("keyword arguments are not supported");
  const num_inputs = cdata.num_inputs();
  if (inputs.length !== num_inputs)
    throw new TypeError_(`expected ${num_inputs} arguments, got ${inputs.length} instead`);
  const vars = inputs.map((input, i) => {
    if (input === null || input === undefined) return new Tensor();
    if (!THPVariable_Check(input)) throw new TypeError_(`argument ${i} is not a Variable`);
    return THPVariable_Unpack(input);
  });
  const outputs = cdata.apply(vars);
  return outputs.length === 1 ? THPVariable_Wrap(outputs[0]) : tuple_map(outputs, (output) => THPVariable_Wrap(output));
}

export function next_functions_of(node: Node): readonly (readonly [PyNodeObject | null, number])[] {
  return tuple_map(node.next_edges(), (edge) => pack(functionToPyObject(edge.function), edge.input_nr));
}

export function input_metadata_of(node: Node): readonly InputMetadata[] {
  return Array.from({ length: node.num_inputs() }, (_, i) => node.input_metadata(i));
}

/** A node's sequence number. A leaf's is 2^64 - 1, which only a bigint holds exactly. */
export function sequence_nr_of(node: Node): number | bigint {
  const sequence_nr = node.sequence_nr();
  return sequence_nr === UINT64_MAX ? 2n ** 64n - 1n : sequence_nr;
}

export function register_hook_dict(node: Node, variable: unknown): void {
  if (!THPVariable_Check(variable)) throw new TypeError_("_register_hook_dict expected a variable");
  node.add_tensor_pre_hook(
    new PyFunctionTensorPreHook(variable.backward_hooks as HookDict, variable.cdata.output_nr()),
  );
}

/** `torch.autograd.Function._register_hook`, which is in the front end: adds a hook and makes its handle. */
type RegisterHook = (dict: HookDict | null, hook: PyHook) => readonly [HookDict, RemovableHandle];
let register_hook_fn: RegisterHook | null = null;

export function set_register_hook(fn: RegisterHook): void {
  register_hook_fn = fn;
}

function register(dict: HookDict | null, hook: PyHook): readonly [HookDict, RemovableHandle] {
  TORCH_CHECK(register_hook_fn !== null, "torch.autograd.function has not been loaded");
  return register_hook_fn(dict, hook);
}

export function registerFunctionHook(fn: Node, hook: PyHook): RemovableHandle {
  const present = fn.post_hooks().find((post_hook) => post_hook instanceof PyFunctionPostHook);
  const [dict, handle] = register(present?.dict ?? null, hook);
  if (present === undefined) fn.add_post_hook(new PyFunctionPostHook(dict));
  return handle;
}

export function registerFunctionPreHook(fn: Node, hook: PyHook): RemovableHandle {
  const present = fn.pre_hooks().find((pre_hook) => pre_hook instanceof PyFunctionPreHook);
  const [dict, handle] = register(present?.dict ?? null, hook);
  if (present === undefined) fn.add_pre_hook(new PyFunctionPreHook(dict));
  return handle;
}

// Node classes and their classes in the front end. PyTorch registers one type per generated node; here each is made at
// its first use, from the accessors of the generated node (`_saved_self`, `_raw_saved_self`, `_saved_alpha`, ...).

type NodeClass = abstract new (...args: never[]) => Node;
const cpp_function_types_map = new Map<NodeClass, typeof THPCppFunction>();

export function registerCppFunction(type: NodeClass, pytype: typeof THPCppFunction): void {
  cpp_function_types_map.set(type, pytype);
}

function to_python(value: unknown): unknown {
  if (value instanceof Tensor) return THPVariable_Wrap(value);
  if (value instanceof SavedVariable) return new PySavedTensor(value);
  if (value instanceof Scalar) return value.isBoolean() ? value.toBool() : value.toNumber();
  if (Array.isArray(value)) return value.map(to_python);
  return value;
}

function make_type(type: NodeClass, name: string): typeof THPCppFunction {
  const pytype = class extends THPCppFunction {};
  Object.defineProperty(pytype, "name", { value: name.slice(name.lastIndexOf(":") + 1) });
  for (const [property, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(type.prototype))) {
    const get = descriptor.get;
    if (get === undefined || !/^_(raw_)?saved_/.test(property)) continue;
    Object.defineProperty(pytype.prototype, property, {
      get(this: THPCppFunction) {
        return to_python(get.call(this.cdata));
      },
      enumerable: true,
    });
  }
  return pytype;
}

/** `torch._C._functions.AccumulateGrad`; only the engine constructs it. */
export class PyAccumulateGrad extends THPCppFunction {
  constructor(cdata: Node) {
    TORCH_CHECK(cdata instanceof AccumulateGrad, "Cannot construct");
    super(cdata);
  }

  get variable(): unknown {
    return THPVariable_Wrap((this.cdata as AccumulateGrad).variable);
  }
}
Object.defineProperty(PyAccumulateGrad, "name", { value: "AccumulateGrad" });
registerCppFunction(AccumulateGrad, PyAccumulateGrad);

/** The object of a node, the same one every time; null for no node. A user's Function is its own object. */
export function functionToPyObject(fn: NodeOfAten | null): PyNodeObject | null {
  if (fn === null) return null;
  const cdata = fn as Node;
  if (cdata.pyobj_slot_ === null) {
    const type = cdata.constructor as NodeClass;
    let pytype = cpp_function_types_map.get(type);
    if (pytype === undefined) {
      pytype = make_type(type, cdata.name());
      cpp_function_types_map.set(type, pytype);
    }
    cdata.pyobj_slot_ = new pytype(cdata);
  }
  return cdata.pyobj_slot_ as PyNodeObject;
}
