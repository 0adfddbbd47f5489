/**
 * @file `torch.autograd.Function`: an operation with its own backward.
 * @mirrors torch/autograd/function.py
 * @differs Ours takes positional arguments only.
 */
import { maybeCurrentDynamicLayer } from "#aten/functorch/DynamicLayer";
import { NotImplementedError, RuntimeError, warn } from "#c10/util/Exception";
import { ALLOCATE, Allocated } from "#python/Objects/allocated";
import { _FunctionBase, _functions, is_grad_enabled, set_register_hook, THPFunction_apply } from "#torch/_C";
import { type Args, def, def_methods, dress, Init, type InitArgs, Signature, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { type_repr } from "#torch/_utils/index";
import { RemovableHandle } from "#torch/utils/hooks";
import { no_grad } from "./grad_mode.ts";

// biome-ignore lint/suspicious/noExplicitAny: a Function may take and return anything
type Any = any;
type Hook = (...args: Any[]) => unknown;

/**
 * The object `ctx` that `forward` and `backward` share. Any property may be set on it; tensors that are inputs or outputs should go through
 * `save_for_backward`, so that autograd can detect in-place changes.
 */
export abstract class FunctionCtx extends _FunctionBase {
  [key: string]: Any;

  static {
    def_methods(FunctionCtx, {
      save_for_backward: "(self, *tensors)",
      save_for_forward: "(self, *tensors)",
      mark_dirty: "(self, *args)",
      mark_non_differentiable: "(self, *args)",
      set_materialize_grads: "(self, value)",
    });
  }

  /** Saves inputs and outputs (or null); `backward` finds them in `ctx.saved_tensors`, in the same order. Call it at most once. */
  save_for_backward(...tensors: (Tensor | null)[]): void;
  save_for_backward(tensors: unknown): void {
    this.to_save = tensors as (Tensor | null)[];
  }

  /** Saves inputs and outputs (or null) that `jvp` needs; it finds them in `ctx.saved_tensors`. Call it at most once. */
  save_for_forward(...tensors: (Tensor | null)[]): void;
  save_for_forward(tensors: unknown): void {
    this.saved_for_forward = tensors as (Tensor | null)[];
  }

  /** Marks inputs that `forward` changed in place. They must be returned. */
  mark_dirty(...args: Tensor[]): void;
  mark_dirty(args: unknown): void {
    this.dirty_tensors = args as Tensor[];
  }

  /** Marks outputs that have no gradient. `backward` still receives a gradient for each: zeros. */
  mark_non_differentiable(...args: Tensor[]): void;
  mark_non_differentiable(args: unknown): void {
    this.non_differentiable = args as Tensor[];
  }

  /** With false, `backward` receives null instead of zeros for unused outputs. */
  set_materialize_grads(...args: Args<"(self, value)", [value: boolean]>): void;
  set_materialize_grads(value: boolean): void {
    this.materialize_grads = value;
  }
}

/** The class of `ctx` for one Function. Its name `<Function>Backward` is also the name of the node. */
abstract class BackwardCFunction extends FunctionCtx {
  abstract get _forward_cls(): typeof Function;

  apply(...args: Any[]): unknown {
    const forward_cls = this._forward_cls;
    return forward_cls[name_of_backward(forward_cls)](this, ...args);
  }

  apply_jvp(...args: Any[]): unknown {
    return this._forward_cls.jvp(this, ...args);
  }
}

/** The method that defines the backward: `backward`, or its other name `vjp`. */
function name_of_backward(forward_cls: typeof Function): "vjp" | "backward" {
  const has_backward = forward_cls.backward !== Function.backward;
  const has_vjp = forward_cls.vjp !== Function.vjp;
  if (has_backward && has_vjp) {
    throw new RuntimeError(
      "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. " +
        "You should only implement one of them.",
    );
  }
  return has_vjp ? "vjp" : "backward";
}

/** The part of a Function's class that decides how it is called. */
interface FunctionClassLike {
  setup_context(ctx: Any, inputs: Any, output: Any): Any;
}

type FunctorchCall = (cls: typeof Function, has_setup_context: boolean, args: unknown[]) => unknown;
let functorch_call: FunctorchCall | null = null;

/** Called by the file that knows how transforms call a Function. */
export function set_functorch_call(fn: FunctorchCall): void {
  functorch_call = fn;
}

const Function_vmap = new Signature("Function.vmap(info, in_dims, *args)");

const backward_classes = new WeakMap<object, new () => BackwardCFunction>();

const Function_init = new Init(
  "Function.__init__(self, *args, **kwargs)",
  types<[args: unknown[], kwargs: Record<string, unknown>]>,
);

/**
 * Base class of custom operations. Subclasses define `static forward(ctx, ...args)` (or `static forward(...args)` with
 * `static setup_context(ctx, inputs, output)`) and `static backward(ctx, ...grad_outputs)`, which returns one gradient for each argument of
 * `forward`, or null; for forward mode also `static jvp(ctx, ...grad_inputs)`. They are called through `apply`.
 * @example class Exp extends Function { static forward(ctx, i) { const r = i.exp(); ctx.save_for_backward(r); return r; }
 *   static backward(ctx, g) { return g.mul(ctx.saved_tensors[0]); } }
 */
export class Function extends Allocated {
  static {
    def_methods(Function, { __init__: Function_init });
    // All arguments are passed to the subclass's `forward`.
    dress(Function.apply, new Signature("Function.apply(cls, *args, **kwargs)"), "apply");
    dress(Function.vmap, Function_vmap, "vmap");
  }

  static override [ALLOCATE](prototype: object): Function {
    // Old programs made an object and called it.
    const self = () => {
      throw new RuntimeError(
        "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)",
      );
    };
    return Object.setPrototypeOf(self, prototype) as Function;
  }

  constructor(..._args: InitArgs<typeof Function_init>) {
    super();
    const waiting = typeof this === "function"; // an object that is only now constructed; see allocated.ts
    const self = waiting ? this : (Function[ALLOCATE](new.target.prototype) as this);
    warn(
      "DeprecationWarning",
      `${type_repr(this, "class")} should not be instantiated. Methods on autograd functions are all static, so you should invoke them on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.`,
    );
    // biome-ignore lint/correctness/noConstructorReturn: a callable object is a function, not an instance of this class
    return self;
  }

  /** Created on first use, because JavaScript has no hook for the definition of a class. */
  static get _backward_cls(): new () => BackwardCFunction {
    let cls = backward_classes.get(this);
    if (cls === undefined) {
      const forward_cls = this;
      cls = class extends BackwardCFunction {
        get _forward_cls(): typeof Function {
          return forward_cls;
        }
      };
      Object.defineProperty(cls, "name", { value: `${this.name}Backward` });
      backward_classes.set(this, cls);
    }
    return cls;
  }

  static forward(..._args: Any[]): Any {
    throw new NotImplementedError("You must implement the forward function for custom autograd.Function.");
  }

  static setup_context(_ctx: Any, _inputs: Any, _output: Any): Any {
    throw new NotImplementedError("setup_context is not implemented.");
  }

  static backward(_ctx: Any, ..._grad_outputs: Any[]): Any {
    throw new NotImplementedError(
      "You must implement either the backward or vjp method for " +
        "your custom autograd.Function to use it with backward " +
        "mode AD.",
    );
  }

  /** Another name of `backward`. */
  static vjp(ctx: Any, ...grad_outputs: Any[]): Any {
    return this.backward(ctx, ...grad_outputs);
  }

  /** The tangents of the outputs, from one for each argument of `forward`: null for what is no tensor. */
  static jvp(_ctx: Any, ..._grad_inputs: Any[]): Any {
    throw new NotImplementedError(
      "You must implement the jvp function for custom autograd.Function to use it with forward mode AD.",
    );
  }

  /** Whether `vmap` over the Function is made from its `forward` and `backward`. */
  static readonly generate_vmap_rule: boolean = false;

  /**
   * The Function's behaviour under `torch.vmap`: gets what `VmapInfo` has, the batch dimension of each argument, and the arguments; returns
   * `[outputs, out_dims]`.
   */
  static vmap(...args: Any[]): Any {
    Function_vmap.bind(args);
    throw new NotImplementedError(
      "To use autograd.Function with vmap, you must either override the vmap staticmethod or set generate_vmap_rule=True.",
    );
  }

  static override apply(...args: Any[]): Any {
    if (maybeCurrentDynamicLayer() !== null && functorch_call !== null)
      return functorch_call(this, this.setup_context !== Function.setup_context, args);
    return Function.apply_below_transforms(this, args);
  }

  /** `apply` without a look at the transforms that are active. */
  static apply_below_transforms(cls: FunctionClassLike, args: unknown[]): Any {
    const overridden_setup_context = cls.setup_context !== Function.setup_context;
    return THPFunction_apply(cls as typeof Function, overridden_setup_context, args);
  }

  static _register_hook(
    backward_hooks: Map<number, Hook> | null,
    hook: Hook,
  ): readonly [Map<number, Hook>, RemovableHandle] {
    const dict = backward_hooks ?? new Map<number, Hook>();
    const handle = new RemovableHandle(dict);
    dict.set(handle.id, hook);
    return [dict, handle];
  }
}
set_register_hook(Function._register_hook);

/** Wraps a `backward` that must not be differentiated itself: a double backward through it raises. */
export const once_differentiable = def("once_differentiable(fn)", once) as unknown as typeof once;

function once<C, A extends Any[]>(fn: (ctx: C, ...args: A) => unknown): (ctx: C, ...args: A) => unknown {
  return (ctx, ...args) => {
    const outputs = no_grad(() => fn(ctx, ...args));
    if (!is_grad_enabled()) return outputs;
    // With create_graph: the outputs require grad, and raise when a gradient arrives.
    if (!args.some((arg) => arg instanceof Tensor && arg.requires_grad)) return outputs;
    const list = (Array.isArray(outputs) ? outputs : [outputs]) as (Tensor | null)[];
    const aliases = list.map((output) => output?.detach().requires_grad_() ?? null);
    return _functions.DelayedError(
      "trying to differentiate twice a function that was marked with @once_differentiable",
      aliases.length,
    )(...aliases);
  };
}

const InplaceFunction_init = new Init("InplaceFunction.__init__(self, inplace=False)", types<[inplace: boolean]>);

/** A Function whose `forward` changes its input; it must still call `mark_dirty`. */
export class InplaceFunction extends Function {
  readonly inplace: boolean;

  static {
    def_methods(InplaceFunction, { __init__: InplaceFunction_init });
  }

  constructor(...args: InitArgs<typeof InplaceFunction_init>) {
    const [inplace] = InplaceFunction_init.bind(args);
    super();
    this.inplace = inplace;
  }
}
