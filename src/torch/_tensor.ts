/**
 * @file `torch.Tensor`: what the front end adds to the tensor of `torch._C`.
 * @mirrors torch/_tensor.py
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import {
  _C,
  python_type,
  set_THPVariableClass,
  TensorBase,
  THPUtils_checkLong,
  THPVariable_make_subclass,
  THPVariable_NewWithVar,
  type THPVariableType,
} from "./_C.ts";
import { type Args, def_methods } from "./_signature.ts";
import { _str } from "./_tensor_str.ts";
import { torch } from "./_torch.ts";
import type { GradientEdge } from "./autograd/graph.ts";
import {
  DisableTorchFunctionSubclass,
  get_default_nowrap_functions,
  handle_torch_function,
  has_torch_function,
  has_torch_function_unary,
} from "./overrides.ts";
import type { _int, Index, Number } from "./types.ts";
import { RemovableHandle } from "./utils/hooks.ts";

const methods = {
  backward: "(self, gradient=None, retain_graph=None, create_graph=False, inputs=None)",
  register_hook: "(self, hook)",
  register_post_accumulate_grad_hook: "(self, hook)",
  split: "(self, split_size, dim=0)",
  __repr__: "(self, *, tensor_contents=None)",
} as const;
type Methods = typeof methods;
type OneOrMany<T> = T | readonly T[];

export class Tensor extends TensorBase {
  static {
    def_methods(Tensor, methods);
  }

  /** `data`'s memory under the class this is called on. */
  static _make_subclass<T extends TensorBase>(cls: THPVariableType<T>, data: TensorBase, require_grad = false): T {
    return THPVariable_make_subclass(cls, data, require_grad);
  }

  /**
   * Lets functions of `torch` take subclasses: computes as for plain tensors, then gives the results the subclass.
   * @param kwargs keyword arguments, if there are any
   */
  static __torch_function__(func: unknown, types: readonly unknown[], args: unknown[] = [], kwargs?: object): unknown {
    if (!types.every((type) => this === type || Object.prototype.isPrototypeOf.call(type as object, this)))
      return _C.NotImplemented;
    const guard = new DisableTorchFunctionSubclass();
    guard.__enter__();
    try {
      const call = func as (...args: unknown[]) => unknown;
      const ret = kwargs === undefined ? call(...args) : call(...args, kwargs);
      return get_default_nowrap_functions().has(func) ? ret : convert(ret, this);
    } finally {
      guard.__exit__();
    }
  }

  /** Sums gradients of this tensor into the leaves of its graph. */
  backward(
    ...args: Args<
      Methods["backward"],
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
   * Calls `hook(grad)` whenever a gradient of this tensor is computed; what it returns (unless nothing) takes the gradient's place.
   * @returns a handle whose `remove()` takes the hook off.
   */
  register_hook(...args: Args<Methods["register_hook"], [hook: (grad: Tensor) => unknown]>): RemovableHandle;
  register_hook(hook: (grad: Tensor) => unknown): RemovableHandle {
    if (has_torch_function_unary(this))
      return handle_torch_function(Tensor.prototype.register_hook, [this], this, hook) as RemovableHandle;
    if (!this.requires_grad) throw new RuntimeError("cannot register a hook on a tensor that doesn't require gradient");
    if (this.backward_hooks === null) {
      this._backward_hooks = new Map();
      if (this.grad_fn !== null) this.grad_fn._register_hook_dict(this);
    }
    const handle = new RemovableHandle(this.backward_hooks as Map<number, unknown>);
    (this.backward_hooks as Map<number, unknown>).set(handle.id, hook);
    return handle;
  }

  /** Calls `hook(this)` after a gradient was added to `.grad` of this leaf. */
  register_post_accumulate_grad_hook(
    ...args: Args<Methods["register_post_accumulate_grad_hook"], [hook: (tensor: Tensor) => void]>
  ): RemovableHandle;
  register_post_accumulate_grad_hook(hook: (tensor: Tensor) => void): RemovableHandle {
    if (has_torch_function_unary(this))
      return handle_torch_function(
        Tensor.prototype.register_post_accumulate_grad_hook,
        [this],
        this,
        hook,
      ) as RemovableHandle;
    if (!this.requires_grad) throw new RuntimeError("cannot register a hook on a tensor that doesn't require gradient");
    if (this.grad_fn !== null)
      throw new RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors");
    if (this.post_accumulate_grad_hooks === null) this._post_accumulate_grad_hooks = new Map();
    const hooks = this.post_accumulate_grad_hooks as Map<number, unknown>;
    const handle = new RemovableHandle(hooks);
    hooks.set(handle.id, hook);
    return handle;
  }

  /** `x[i, j:k, ...]`: each argument one index. */
  at(...indices: (Index | readonly Index[])[]): Tensor {
    return this.__getitem__(only(indices));
  }

  /** `x[indices] = value`. */
  set_at(value: Tensor | Number, ...indices: (Index | readonly Index[])[]): this {
    this.__setitem__(only(indices), value);
    return this;
  }

  /** Parts of a size each, or of the sizes listed. */
  override split(split_size: _int | readonly _int[], dim?: _int): Tensor[];
  override split(split_size: _int | readonly _int[], kwargs?: { dim?: _int }): Tensor[];
  override split(kwargs: { split_size: _int | readonly _int[]; dim?: _int }): Tensor[];
  override split(split_size: unknown, dim?: unknown): Tensor[] {
    if (has_torch_function_unary(this))
      return handle_torch_function(Tensor.prototype.split, [this], this, split_size, { dim }) as Tensor[];
    if (THPUtils_checkLong(split_size) || split_size instanceof TensorBase)
      return _C._VariableFunctions.split(this, split_size as _int, dim as _int);
    return _C._VariableFunctions.split_with_sizes(this, split_size as readonly _int[], dim as _int);
  }

  __len__(): number {
    if (this.dim() === 0) throw new TypeError_("len() of a 0-d tensor");
    return this.size(0);
  }

  /** The tensors along dim 0. */
  *[Symbol.iterator](): IterableIterator<Tensor> {
    if (this.dim() === 0) throw new TypeError_("iteration over a 0-d tensor");
    yield* this.unbind(0);
  }

  __contains__(element: unknown): boolean {
    if (
      element instanceof TensorBase ||
      typeof element === "number" ||
      typeof element === "bigint" ||
      typeof element === "boolean"
    ) {
      return Boolean(
        this.eq(element as unknown as Tensor)
          .any()
          .item(),
      );
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

  __neg__(): Tensor {
    return this.neg();
  }

  __abs__(): Tensor {
    return this.abs();
  }

  __rtruediv__(other: Tensor | Number): Tensor {
    return this.reciprocal().mul(other);
  }

  __rdiv__(other: Tensor | Number): Tensor {
    return this.__rtruediv__(other);
  }

  __rpow__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.pow(other as Tensor, this);
  }

  __rmatmul__(other: Tensor): Tensor {
    return _C._VariableFunctions.matmul(other, this);
  }

  __rlshift__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.bitwise_left_shift(other as Tensor, this);
  }

  __rrshift__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.bitwise_right_shift(other as Tensor, this);
  }

  __rand__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.bitwise_and(this, other as Tensor);
  }

  __ror__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.bitwise_or(this, other as Tensor);
  }

  __rxor__(other: Tensor | Number): Tensor {
    return _C._VariableFunctions.bitwise_xor(this, other as Tensor);
  }

  __hash__(): number {
    return this.cdata.unsafeGetTensorImpl().id();
  }

  __deepcopy__(memo: Map<unknown, unknown> = new Map()): Tensor {
    const known = memo.get(this);
    if (known !== undefined) return known as Tensor;
    if (!this.is_leaf) {
      throw new RuntimeError(
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001",
      );
    }
    const copy = this.detach().clone();
    copy.requires_grad = this.requires_grad;
    const result =
      this.constructor === Tensor
        ? copy
        : THPVariable_make_subclass(this.constructor as typeof Tensor, copy, this.requires_grad);
    memo.set(this, result);
    return result;
  }

  __repr__(kwargs?: { tensor_contents?: string | null }): string;
  __repr__(tensor_contents: unknown): string {
    if (has_torch_function_unary(this))
      return handle_torch_function(Tensor.prototype.__repr__, [this], this, { tensor_contents }) as string;
    return _str(this, tensor_contents as string | null);
  }

  /** The text that `print(x)` writes in Python. */
  override toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }

  /** `x > 0` on a tensor of one element compares its value; JavaScript's operators know nothing else. */
  [Symbol.toPrimitive](hint: string): string | number {
    return hint === "number" ? this.item() : this.__repr__();
  }
}

/**
 * For an operator's method: overrides come first, and a TypeError says that the other operand may know better.
 * The arguments are counted, since in Python too many or too few are a TypeError as well.
 */
function _handle_torch_function_and_wrap_type_error_to_not_implemented(name: keyof Tensor): void {
  const f = Tensor.prototype[name] as (this: Tensor, ...args: unknown[]) => unknown;
  const wrapped = function (this: Tensor, ...args: unknown[]): unknown {
    try {
      if (has_torch_function([this, ...args])) return handle_torch_function(wrapped, [this, ...args], this, ...args);
      return args.length === 1 ? f.apply(this, args) : _C.NotImplemented;
    } catch (error) {
      if (error instanceof TypeError_) return _C.NotImplemented;
      throw error;
    }
  };
  Object.defineProperty(wrapped, "name", { value: name });
  Object.defineProperty(Tensor.prototype, name, { value: wrapped, configurable: true, writable: true });
}

for (const name of [
  "__rsub__",
  "__rtruediv__",
  "__rdiv__",
  "__pow__",
  "__rpow__",
  "__rlshift__",
  "__rrshift__",
  "__rand__",
  "__ror__",
  "__rxor__",
  "__rmatmul__",
] as const)
  _handle_torch_function_and_wrap_type_error_to_not_implemented(name);

/** One index alone, or the tuple of them. */
function only(indices: readonly (Index | readonly Index[])[]): Index | readonly Index[] {
  const [index] = indices;
  return indices.length === 1 && !Array.isArray(index) ? (index as Index) : (indices as readonly Index[]);
}

/** Results of a function that took a subclass get its class. */
function convert(ret: unknown, cls: typeof Tensor): unknown {
  if (cls === Tensor) return ret;
  if (ret instanceof TensorBase && !(ret instanceof cls)) return as_subclass(ret, cls);
  if (Array.isArray(ret)) return ret.map((item) => convert(item, cls));
  return ret;
}

/** `tensor.as_subclass(cls)`: the same tensor, in an object of another class. */
function as_subclass<T extends TensorBase>(self: TensorBase, cls: THPVariableType<T>): T {
  return THPVariable_NewWithVar(cls, self.cdata.alias());
}

set_THPVariableClass(Tensor);
