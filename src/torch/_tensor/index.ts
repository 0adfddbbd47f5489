/**
 * @file `torch.Tensor`: the members that the front end adds to the tensor of `torch._C`.
 * @mirrors torch/_tensor.py
 * @differs JavaScript's operators do not see tensors: `x + y` is a string, `-x` and `x < y` convert one element to a number, `if (x)` is always
 * true, `x[0]` gives nothing and `x[0] = 5` raises; PyTorch's compute. Write `x.add(y)`, `x.neg()`, `x.lt(y)`, `if (x.item())`, `x.at(0)` and
 * `x.set_at(5, 0)`.
 */
import { NotImplementedError, RuntimeError, TORCH_WARN, TypeError_, ValueError } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { hints_enabled, WHOLE_NUMBER_HINT } from "#c10/util/whole_numbers";
import { PyTuple, tuple_like } from "#python/Objects/tupleobject";
import {
  _C,
  type GradientEdge,
  having,
  isFloat,
  PyObject_IsTrue,
  python_type,
  set_THPVariableClass,
  TensorBase,
  THPUtils_checkLong,
  type THPVariableType,
  type TorchDispatch,
  take_kwargs,
} from "#torch/_C";
import { deepcopy as deepcopy_of } from "#torch/_deepcopy";
import { def_length } from "#torch/_length";
import * as removed from "#torch/_linalg_utils";
import { def_overridable_methods } from "#torch/_overridable";
import type { Reduced } from "#torch/_pickle/index";
import { type Args, def_methods } from "#torch/_signature";
import { _str } from "#torch/_tensor_str";
import { torch } from "#torch/_torch";
import * as functional from "#torch/functional/index";
import {
  DisableTorchFunctionSubclass,
  get_default_nowrap_functions,
  handle_torch_function,
  has_torch_function,
  has_torch_function_unary,
} from "#torch/overrides";
import { _warn_typed_storage_removal, TypedStorage } from "#torch/storage/typed";
import type { _int, dtype, Index, memory_format, Number } from "#torch/types";
import { RemovableHandle } from "#torch/utils/hooks";
import { dim_order } from "./dim_order.ts";
import { FIELDS, reduce_tensor } from "./reduce.ts";

/** This method asks for overrides itself, because a function in between would need stack space in every nested backward call. */
const backward = "(self, gradient=None, retain_graph=None, create_graph=False, inputs=None)";

/** Methods that `__torch_function__` may override. */
const overridable = {
  register_hook: "(self, hook)",
  register_post_accumulate_grad_hook: "(self, hook)",
  norm: "(self, p='fro', dim=None, keepdim=False, dtype=None)",
  split: "(self, split_size, dim=0)",
  unflatten: "(self, dim, sizes)",
  unique: "(self, sorted=True, return_inverse=False, return_counts=False, dim=None)",
  unique_consecutive: "(self, return_inverse=False, return_counts=False, dim=None)",
  storage: "(self)",
  is_shared: "(self)",
  share_memory_: "(self)",
  dim_order: "(self, *, ambiguity_check=False)",
  lu: "(self, pivot=True, get_infos=False)",
  __reversed__: "(self)",
  __repr__: "(self, *, tensor_contents=None)",
  __len__: "(self)",
  __contains__: "(self, element: object, /)",
  __deepcopy__: "(self, memo: dict)",
  __reduce_ex__: "(self, proto)",
} as const;
type Methods = typeof overridable;

/** Methods that ask for overrides themselves, since they pass several tensors or a list of sizes; and methods that cannot be overridden. */
const others = {
  module_load: "(self, other, assign=False)",
  resize: "(self, *sizes)",
  resize_as: "(self, tensor)",
  solve: "(self, other)",
  lstsq: "(self, other)",
  eig: "(self, eigenvectors=False)",
  symeig: "(self, eigenvectors=False)",
  reinforce: "(self, reward)",
} as const;
type Others = typeof others;

/** Operator methods, which return `NotImplemented` where Python's raise TypeError; with the name of the function. */
const operators = {
  __rsub__: "__rsub__",
  __rdiv__: "__rdiv__",
  __pow__: "pow",
  __rpow__: "__rpow__",
  __ipow__: "pow_",
  __rmod__: "__rmod__",
  __floordiv__: "__floordiv__",
  __rfloordiv__: "__rfloordiv__",
  __rlshift__: "__rlshift__",
  __rrshift__: "__rrshift__",
  __rmatmul__: "__rmatmul__",
} as const;

type Norm = Number | string | null;
type Dims = _int | readonly _int[] | null;
type OneOrMany<T> = T | readonly T[];

const reinforce_was_removed = `reinforce() was removed.
Use torch.distributions instead.
See https://pytorch.org/docs/main/distributions.html

Instead of:

probs = policy_network(state)
action = probs.multinomial()
next_state, reward = env.step(action)
action.reinforce(reward)
action.backward()

Use:

probs = policy_network(state)
# NOTE: categorical is equivalent to what used to be called multinomial
m = torch.distributions.Categorical(probs)
action = m.sample()
next_state, reward = env.step(action)
loss = -m.log_prob(action) * reward
loss.backward()
`;

/** The integer value of a tensor with one element; otherwise the tensor itself. */
function int_or_itself(tensor: TensorBase): unknown {
  try {
    return tensor.__int__();
  } catch (error) {
    if (error instanceof ValueError) return tensor;
    throw error;
  }
}

export interface Tensor {
  /** `len(x)`: the size of dim 0. */
  readonly length: number;
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `length` is defined at run time; see _length.ts
export class Tensor extends TensorBase {
  static readonly __module__: string = "torch";

  static {
    def_overridable_methods(Tensor, overridable);
    def_methods(Tensor, { backward, __hash__: "(self)", _typed_storage: "(self)", ...others });
    def_length(Tensor);
    const prototype = Tensor.prototype as unknown as Record<string, Method>;
    const put = (name: string, value: unknown) =>
      Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
    for (const [name, bears] of Object.entries(operators))
      put(name, _handle_torch_function_and_wrap_type_error_to_not_implemented(prototype[name], bears));
    put("__rtruediv__", prototype["__rdiv__"]);
    put("__itruediv__", prototype["__idiv__"]);
    put("__neg__", prototype["neg"]);
    put("__pos__", prototype["positive"]);
    put("__abs__", prototype["abs"]);
  }

  /** `data`'s memory as an object of class `cls`. */
  declare static _make_subclass: <T extends TensorBase>(
    cls: THPVariableType<T>,
    data: TensorBase,
    ...rest: (boolean | object)[]
  ) => T;

  /** An object of class `cls` with these sizes and without bytes; the class must have a `__torch_dispatch__`. */
  declare static _make_wrapper_subclass: <T extends TensorBase>(
    cls: THPVariableType<T>,
    size: readonly number[],
    ...rest: unknown[]
  ) => T;

  /** Classes that define it receive every operator call with one of their tensors, below autograd. */
  static __torch_dispatch__: TorchDispatch = _C._disabled_torch_dispatch_impl as TorchDispatch;

  /**
   * Runs functions of `torch` on subclasses: computes with them as with plain tensors, then converts the results to the subclass.
   * @param kwargs the keyword arguments, if there are any
   */
  static __torch_function__(
    func: unknown,
    types: readonly unknown[],
    args: unknown[] = [],
    kwargs: object = {},
  ): unknown {
    if (
      !types.every(
        (type) =>
          this === type || Object.prototype.isPrototypeOf.call((type as typeof Tensor).prototype, this.prototype),
      )
    )
      return _C.NotImplemented;
    if (typeof func !== "function") throw new TypeError_(`'${python_type(func)}' object is not callable`);
    const guard = new DisableTorchFunctionSubclass();
    guard.__enter__();
    try {
      const ret: unknown = func(...args, kwargs);
      return get_default_nowrap_functions().has(func) ? ret : convert(ret, this);
    } finally {
      guard.__exit__();
    }
  }

  /** Computes the gradients of this tensor and adds them to the leaves of its graph. */
  backward(
    ...args: Args<
      typeof backward,
      [
        gradient: Tensor | null,
        retain_graph: boolean | null,
        create_graph: boolean,
        inputs: OneOrMany<Tensor | GradientEdge> | null,
      ]
    >
  ): void;
  backward(
    gradient: Tensor | null,
    retain_graph: boolean | null,
    create_graph: boolean,
    inputs: OneOrMany<Tensor | GradientEdge> | null,
  ): void {
    if (has_torch_function_unary(this)) {
      handle_torch_function(Tensor.prototype.backward, [this], this, { gradient, retain_graph, create_graph, inputs });
    } else if (tracer !== null) {
      const call = torch.autograd.backward as (...args: unknown[]) => void;
      traceCall("python", "torch._tensor.Tensor.backward", call, [
        this,
        gradient,
        retain_graph,
        create_graph,
        null,
        inputs,
      ]);
    } else {
      torch.autograd.backward(this, gradient, retain_graph, create_graph, null, inputs);
    }
  }

  /**
   * Registers `hook(grad)`, which runs whenever a gradient of this tensor is computed; a returned value replaces the gradient.
   * @returns a handle whose `remove()` removes the hook.
   */
  register_hook(...args: Args<Methods["register_hook"], [hook: (grad: Tensor) => unknown]>): RemovableHandle;
  register_hook(hook: (grad: Tensor) => unknown): RemovableHandle {
    if (!this.requires_grad) throw new RuntimeError("cannot register a hook on a tensor that doesn't require gradient");
    if (this.backward_hooks === null) {
      this._backward_hooks = new Map();
      if (this.grad_fn !== null) this.grad_fn._register_hook_dict(this);
    }
    const handle = new RemovableHandle(this.backward_hooks as Map<number, unknown>);
    (this.backward_hooks as Map<number, unknown>).set(handle.id, hook);
    return handle;
  }

  /** Registers `hook(this)`, which runs after a gradient was added to `.grad` of this leaf. */
  register_post_accumulate_grad_hook(
    ...args: Args<Methods["register_post_accumulate_grad_hook"], [hook: (tensor: Tensor) => void]>
  ): RemovableHandle;
  register_post_accumulate_grad_hook(hook: (tensor: Tensor) => void): RemovableHandle {
    if (!this.requires_grad) throw new RuntimeError("cannot register a hook on a tensor that doesn't require gradient");
    if (this.grad_fn !== null)
      throw new RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors");
    if (this.post_accumulate_grad_hooks === null) this._post_accumulate_grad_hooks = new Map();
    const hooks = this.post_accumulate_grad_hooks as Map<number, unknown>;
    const handle = new RemovableHandle(hooks);
    hooks.set(handle.id, hook);
    return handle;
  }

  /** `x[i, j:k, ...]`: each argument is one index. */
  at(...indices: (Index | readonly Index[])[]): Tensor {
    return having(this, "__getitem__").__getitem__(only(indices));
  }

  /** `x[indices] = value`. A fraction that an int64 tensor cannot hold is reported, since the tensor may have been meant as a floating one. */
  set_at(value: Tensor | Number, ...indices: (Index | readonly Index[])[]): this {
    if (typeof value === "number" && !Number.isInteger(value) && hints_enabled() && this.dtype === torch.int64)
      TORCH_WARN(
        "set_at writes ",
        value,
        " into an int64 tensor, which keeps ",
        Math.trunc(value),
        ". ",
        WHOLE_NUMBER_HINT,
      );
    having(this, "__setitem__").__setitem__(only(indices), value);
    return this;
  }

  /** The norm of this tensor, as `torch.norm` computes it. */
  override norm(p?: Norm, dim?: Dims, keepdim?: boolean, dtype?: dtype | null): Tensor;
  override norm(p: Norm, kwargs?: { dim?: Dims; keepdim?: boolean; dtype?: dtype | null }): Tensor;
  override norm(p: Norm, dim: Dims, kwargs?: { keepdim?: boolean; dtype?: dtype | null }): Tensor;
  override norm(p: Norm, dim: Dims, keepdim: boolean, kwargs?: { dtype?: dtype | null }): Tensor;
  override norm(kwargs?: { p?: Norm; dim?: Dims; keepdim?: boolean; dtype?: dtype | null }): Tensor;
  override norm(p?: unknown, dim?: unknown, keepdim?: unknown, dtype?: unknown): Tensor {
    return functional.norm(this, p as never, dim as Dims, keepdim as boolean, { dtype: dtype as dtype | null });
  }

  /** The distinct elements, as `torch.unique` computes them. */
  unique(sorted?: boolean, return_inverse?: boolean, return_counts?: boolean, dim?: _int | null): Tensor | Tensor[];
  unique(kwargs?: Record<string, unknown>): Tensor | Tensor[];
  unique(sorted?: unknown, return_inverse?: unknown, return_counts?: unknown, dim?: unknown): Tensor | Tensor[] {
    return functional.unique(this, { sorted, return_inverse, return_counts, dim } as never);
  }

  /** The elements without repeated neighbours, as `torch.unique_consecutive` computes them. */
  unique_consecutive(return_inverse?: boolean, return_counts?: boolean, dim?: _int | null): Tensor | Tensor[];
  unique_consecutive(kwargs?: Record<string, unknown>): Tensor | Tensor[];
  unique_consecutive(return_inverse?: unknown, return_counts?: unknown, dim?: unknown): Tensor | Tensor[] {
    return functional.unique_consecutive(this, { return_inverse, return_counts, dim } as never);
  }

  /** Views of parts along `dim`: of one size, or of the sizes listed. */
  override split(split_size: _int | readonly _int[], dim?: _int): Tensor[];
  override split(split_size: _int | readonly _int[], kwargs?: { dim?: _int }): Tensor[];
  override split(kwargs: { split_size: _int | readonly _int[]; dim?: _int }): Tensor[];
  override split(split_size: unknown, dim?: unknown): Tensor[] {
    const size = split_size instanceof TensorBase ? int_or_itself(split_size) : split_size;
    if (THPUtils_checkLong(size) || typeof size === "boolean")
      return _C._VariableFunctions.split(this, size as _int, dim as _int);
    return _C._VariableFunctions.split_with_sizes(this, size as readonly _int[], dim as _int);
  }

  /** A view in which `dim` is split into dims of `sizes`. */
  override unflatten(dim: _int, sizes: readonly _int[]): Tensor;
  override unflatten(dim: _int, kwargs: { sizes: readonly _int[] }): Tensor;
  override unflatten(kwargs: { dim: _int; sizes: readonly _int[] }): Tensor;
  override unflatten(dim: unknown, sizes?: unknown): Tensor {
    if (!PyObject_IsTrue(sizes)) throw new RuntimeError("unflatten: sizes must be non-empty");
    return super.unflatten(dim as _int, sizes as readonly _int[]) as Tensor;
  }

  /** The order of the dims in memory, outermost first. @throws {RuntimeError} with `ambiguity_check`, if other orders are possible */
  dim_order(kwargs?: { ambiguity_check?: boolean | readonly memory_format[] }): number[];
  dim_order(ambiguity_check?: unknown): number[] {
    return dim_order(this, ambiguity_check);
  }

  /** The LU factorization of `torch.lu`, which is deprecated. */
  lu(...args: Args<Methods["lu"], [pivot: boolean, get_infos: boolean]>): Tensor[];
  lu(pivot: boolean, get_infos: boolean): Tensor[] {
    const [LU, pivots, infos] = _C._VariableFunctions._lu_with_info(this, { pivot, check_errors: !get_infos });
    return get_infos ? [LU, pivots, infos] : [LU, pivots];
  }

  /** Deprecated: the storage of this tensor, as elements of its dtype. See `untyped_storage`. */
  storage(): TypedStorage {
    _warn_typed_storage_removal();
    return this._typed_storage();
  }

  _typed_storage(): TypedStorage {
    return TypedStorage.wrap(this.untyped_storage(), this.dtype);
  }

  /** Whether other processes share this memory; always false, since a program runs in one process. */
  is_shared(): boolean {
    return false;
  }

  /**
   * Moves the memory to where other processes can use it. Not built.
   * @differs Ours raises, since there is no other process; PyTorch moves the storage to shared memory.
   * @throws {NotImplementedError} always
   */
  share_memory_(): never {
    throw new NotImplementedError("Tensor.share_memory_ is not implemented: a program runs in one process");
  }

  /**
   * The tensor that replaces this parameter when a module loads `other` and `torch.__future__` is set to swap tensors: this tensor with the
   * values of `other` or, with `assign`, `other` itself.
   */
  module_load(...args: Args<Others["module_load"], [other: Tensor, assign: boolean]>): Tensor;
  module_load(other: Tensor, assign: boolean): Tensor {
    if (has_torch_function([this, other]))
      return handle_torch_function(Tensor.prototype.module_load, [this, other], this, other, { assign }) as Tensor;
    return assign ? having(other, "detach").detach() : this.copy_(other).detach();
  }

  /** Deprecated: the same number of elements in another shape. */
  resize(...sizes: _int[]): Tensor;
  resize(sizes: unknown): Tensor {
    if (has_torch_function_unary(this))
      return handle_torch_function(Tensor.prototype.resize, [this], this, ...(sizes as _int[])) as Tensor;
    TORCH_WARN("non-inplace resize is deprecated");
    return torch.autograd._functions.Resize.apply(this, sizes) as Tensor;
  }

  /** Deprecated: the elements in the shape of `tensor`. */
  resize_as(...args: Args<Others["resize_as"], [tensor: Tensor]>): Tensor;
  resize_as(tensor: Tensor): Tensor {
    if (has_torch_function([this, tensor]))
      return handle_torch_function(Tensor.prototype.resize_as, [this, tensor], this, tensor) as Tensor;
    TORCH_WARN("non-inplace resize_as is deprecated");
    return torch.autograd._functions.Resize.apply(this, having(tensor, "size").size()) as Tensor;
  }

  /** Removed; use `torch.linalg.solve`. @throws {RuntimeError} always */
  solve(other: unknown): never {
    return removed.solve(this, other);
  }

  /** Removed; use `torch.linalg.lstsq`. @throws {RuntimeError} always */
  lstsq(other: unknown): never {
    return removed.lstsq(this, other);
  }

  /** Removed; use `torch.linalg.eig`. @throws {RuntimeError} always */
  eig(eigenvectors?: unknown): never {
    return removed.eig(this, { eigenvectors });
  }

  /** Removed; use `torch.linalg.eigh`. @throws {RuntimeError} always */
  symeig(eigenvectors?: unknown): never {
    return removed._symeig(this, { eigenvectors });
  }

  /** Removed; use `torch.distributions`. @throws {RuntimeError} always */
  reinforce(_reward: unknown): never {
    throw new RuntimeError(reinforce_was_removed);
  }

  /** The elements in reverse order along dim 0. */
  __reversed__(): Tensor {
    return this.dim() === 0 ? this : this.flip(0);
  }

  __len__(): number {
    if (this.dim() === 0) throw new TypeError_("len() of a 0-d tensor");
    return this.size(0);
  }

  /** The elements as nested lists, for `JSON.stringify`. */
  toJSON(): unknown {
    return this.tolist();
  }

  /** Iterates over the slices along dim 0. */
  [Symbol.iterator](): IterableIterator<Tensor> {
    if (this.dim() === 0) throw new TypeError_("iteration over a 0-d tensor");
    return this.unbind(0)[Symbol.iterator]();
  }

  __contains__(element: unknown): boolean {
    if (
      element instanceof TensorBase ||
      typeof element === "number" ||
      typeof element === "bigint" ||
      typeof element === "boolean" ||
      isFloat(element)
    ) {
      const equal = element instanceof TensorBase ? element.eq(this) : this.eq(element as Number);
      return Boolean(equal.any().item());
    }
    throw new RuntimeError(
      `Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class '${python_type(element)}'>.`,
    );
  }

  __rsub__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.rsub(this, other as Tensor);
  }

  __pow__(exponent: Tensor | Number): Tensor {
    return this.pow(exponent as Tensor);
  }

  __ipow__(exponent: Tensor | Number): Tensor {
    return this.pow_(exponent as Tensor);
  }

  __rdiv__(other: Tensor | Number): Tensor {
    return this.reciprocal().mul(other);
  }

  __rpow__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.pow(other as Tensor, this);
  }

  __rmatmul__(other: Tensor): Tensor {
    return _C._VariableFunctions.matmul(other, this);
  }

  __rmod__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.remainder(other as Tensor, this);
  }

  __floordiv__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.floor_divide(this, other as Tensor);
  }

  __rfloordiv__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.floor_divide(other as Tensor, this);
  }

  __rlshift__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.bitwise_left_shift(other as Tensor, this);
  }

  __rrshift__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.bitwise_right_shift(other as Tensor, this);
  }

  __hash__(): number {
    return this.cdata.unsafeGetTensorImpl().id();
  }

  /** The description of the tensor for a pickle. */
  __reduce_ex__(_proto: number): Reduced {
    return reduce_tensor(this, this.constructor === Tensor ? null : this.constructor);
  }

  /** A leaf with its own memory. `memo` maps originals to copies, so tensors that share a storage share its copy. */
  __deepcopy__(memo: Map<unknown, unknown>): this {
    if (!this.is_leaf) {
      throw new RuntimeError(
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001",
      );
    }
    if (!(memo instanceof Map)) throw new TypeError_(`argument of type '${python_type(memo)}' is not iterable`);
    const known = memo.get(this);
    if (known !== undefined) return known as this;
    const result = torch.no_grad(() => deepcopy(this, memo));
    memo.set(this, result);
    return result;
  }

  __repr__(kwargs?: { tensor_contents?: string | null }): string;
  __repr__(tensor_contents: unknown): string {
    return _str(this, tensor_contents as string | null);
  }

  /** The text that Python's `print(x)` writes. */
  override toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }

  /** A primitive value, so that `x > 0` compares the value of a one-element tensor; JavaScript's operators cannot be overloaded. */
  [Symbol.toPrimitive](hint: string): string | number {
    return hint === "number" ? this.item() : this.__repr__();
  }
}

function deepcopy<T extends Tensor>(self: T, memo: Map<unknown, unknown>): T {
  let new_tensor: Tensor;
  if (self.is_meta || (self.constructor !== Tensor && self.data_ptr() === 0)) {
    new_tensor = same_class(self, self.clone(), "wrapper", "clone()", "cloning");
  } else {
    new_tensor = same_class(self, self.new_empty([]), "non-wrapper", "new_empty()", "that function");
    new_tensor.set_(self.untyped_storage().__deepcopy__(memo), self.storage_offset(), self.size(), self.stride());
    if (self.is_neg()) new_tensor = new_tensor.neg();
  }
  if (self.requires_grad) new_tensor.requires_grad_();
  if (self.grad !== null) new_tensor.grad = self.grad.__deepcopy__(memo);
  for (const [name, value] of Object.entries(self))
    if (!FIELDS.has(name)) Object.assign(new_tensor, { [name]: deepcopy_of(value, memo) });
  return new_tensor as T;
}

/** Refuses a copy of another class: a subclass whose methods return plain tensors needs its own `__deepcopy__`. */
function same_class(self: Tensor, copy: Tensor, which: string, method: string, it: string): Tensor {
  if (copy.constructor === self.constructor) return copy;
  throw new RuntimeError(
    `The default implementation of __deepcopy__() for ${which} subclasses only works for subclass types that implement ${method} and for which ${it} returns another instance of the same subclass. You should either properly implement ${method} for your subclass or override __deepcopy__() if it is intended behavior for ${method} to return an instance of a different type.`,
  );
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * An operator method. It asks for overrides first; a TypeError becomes `NotImplemented`, so that the other operand's method is tried.
 * The number of arguments is checked, because a wrong number is a TypeError in Python, too.
 */
function _handle_torch_function_and_wrap_type_error_to_not_implemented(f: Method, name: string): Method {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    const sargs = this === undefined ? args : [this, ...args];
    if (sargs.length > 1) take_kwargs(sargs);
    try {
      if (has_torch_function(sargs)) return handle_torch_function(wrapped, sargs, ...sargs, {});
      return sargs.length === 2 && sargs[0] instanceof TensorBase ? f.call(sargs[0], sargs[1]) : _C.NotImplemented;
    } catch (error) {
      if (error instanceof TypeError_) return _C.NotImplemented;
      throw error;
    }
  };
  return Object.defineProperty(wrapped, "name", { value: name });
}

/** A single index, or the tuple of several. */
function only(indices: readonly (Index | readonly Index[])[]): Index | readonly Index[] {
  const [index] = indices;
  return indices.length === 1 && !Array.isArray(index) ? (index as Index) : (indices as readonly Index[]);
}

/** Converts the results of a function to the subclass of its arguments. */
function convert(ret: unknown, cls: typeof Tensor): unknown {
  if (cls === Tensor) return ret;
  if (ret instanceof TensorBase && !(ret instanceof cls)) return ret.as_subclass(cls);
  if (!Array.isArray(ret)) return ret;
  const converted = ret.map((item) => convert(item, cls));
  return ret instanceof PyTuple ? tuple_like(ret, converted) : converted;
}

set_THPVariableClass(Tensor);
