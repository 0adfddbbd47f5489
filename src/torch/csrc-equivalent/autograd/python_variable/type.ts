/**
 * @file `TensorBase`, the tensor object of the front end, and the tests for one. Its methods are added in `initModule`.
 * @mirrors torch/csrc/autograd/python_variable.h
 * @differs The struct is declared here and its functions are in index.ts, so that the argument parser can know tensors
 * without an import circle; PyTorch has one header/source pair.
 */
import { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { RuntimeError } from "#c10/util/Exception";

/** The private first argument of the constructor: an `at::Tensor` to wrap follows. */
export const kWrap: unique symbol = Symbol("THPVariable_NewWithVar");

/** `THPVariable_pynew`, set when index.ts is loaded: the legacy constructor makes its tensor there. */
type LegacyConstructor = (type: new (...args: never[]) => TensorBase, args: unknown[]) => AtTensor;
let pynew: LegacyConstructor = () => {
  throw new RuntimeError("Cannot create a tensor before torch._C is initialized");
};

export function set_pynew(fn: LegacyConstructor): void {
  pynew = fn;
}

/**
 * A Python object `THPVariable`: the engine's tensor and its Python hooks. This layer needs nothing else of it. Methods
 * and attributes are put on the prototype by THPVariable_initModule; their types are declared where they are called, in
 * `torch/_C.ts`.
 */
export class TensorBase {
  /** The type of the class itself, in messages. */
  static readonly __metaclass__ = "torch._C._TensorMeta";
  /** Invariant: `cdata.impl_.pyobj_slot()` leads back to this object. */
  cdata: AtTensor;
  backward_hooks: unknown;
  post_accumulate_grad_hooks: unknown;

  constructor(...args: unknown[]);
  constructor(first?: unknown, second?: unknown) {
    // biome-ignore lint/complexity/noArguments: a rest parameter would make an array in every wrap
    this.cdata = first === kWrap ? (second as AtTensor) : pynew(new.target, Array.prototype.slice.call(arguments));
    this.backward_hooks = null;
    this.post_accumulate_grad_hooks = null;
    this.cdata.impl_.init_pyobj(this);
  }
}

// An object made by `Object.create(Tensor.prototype)` is like a THPVariable before it is filled: it holds an undefined tensor.
TensorBase.prototype.cdata = new AtTensor();

/** A Python class of tensors. */
// biome-ignore lint/suspicious/noExplicitAny: each class takes its own arguments
export type THPVariableType<T extends TensorBase = TensorBase> = abstract new (...args: any[]) => T;

/** `torch.Tensor` and `torch.nn.Parameter`; the front end registers them once it has defined them. */
export let THPVariableClass: THPVariableType;
export let ParameterClass: THPVariableType;

export function set_THPVariableClass(type: THPVariableType): void {
  THPVariableClass = type;
  THPVariable.prototype = type.prototype;
}

/**
 * Makes an object of class `torch.Tensor` without running a constructor; in C++ this is `tp_alloc`. A class cannot be
 * instantiated so, and a chain of constructors costs more than all the object's fields. The caller fills the impl's
 * slot.
 */
function THPVariable(this: TensorBase, cdata: AtTensor): void {
  this.cdata = cdata;
  this.backward_hooks = null;
  this.post_accumulate_grad_hooks = null;
}

export const tp_alloc = THPVariable as unknown as new (cdata: AtTensor) => TensorBase;

export function set_ParameterClass(type: THPVariableType): void {
  ParameterClass = type;
}

/**
 * Whether the class is `Tensor` itself or `Parameter`, which the engine treats alike; any other subclass may override functions.
 */
export function THPVariable_CheckTypeExact(type: unknown): boolean {
  return type === THPVariableClass || type === ParameterClass;
}

export function THPVariable_CheckExact(obj: unknown): boolean {
  return obj instanceof TensorBase && THPVariable_CheckTypeExact(obj.constructor);
}

export function THPVariable_Check(obj: unknown): obj is TensorBase {
  return obj instanceof TensorBase;
}

export function THPVariable_Unpack(obj: TensorBase): AtTensor {
  return obj.cdata;
}
