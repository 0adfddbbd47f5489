/**
 * @file `torch.autocast`: a region in which matrix products run in bfloat16 (or float16), and operators that need precision run in float32.
 * @mirrors torch/amp/autocast_mode.py
 * @differs Ours decorates a function with `autocast("cpu").decorate(fn)`, since an object cannot be called; PyTorch with
 * `autocast("cpu")(fn)`.
 * @see src/aten/autocast_mode/policies.ts (which operator runs in what)
 */
import { AssertionError, RuntimeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { _C, AbstractContextManager, isDict } from "#torch/_C";
import { device_module, member_of } from "#torch/_device_module";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_name, type_repr } from "#torch/_utils/index";
import type { dtype } from "#torch/types";
import { call_inside, def_context } from "#torch/utils/_contextlib";

// biome-ignore lint/suspicious/noExplicitAny: a function may take and return anything
type Any = any;
type Callable = (...args: Any[]) => Any;

/** Whether autocast supports the device. */
export const is_autocast_available = def("is_autocast_available(device_type)", (device_type: string): boolean =>
  _C._is_autocast_available(device_type),
);

function check_device_type(device_type: unknown): void {
  if (typeof device_type === "string") return;
  throw new ValueError(`Expected \`device_type\` of type \`str\`, got: \`${type_repr(device_type, "class")}\``);
}

/** The dtypes that a renamed backend can cast to, from the function that its module must have. */
function get_amp_supported_dtype(backend: string): readonly dtype[] {
  const message =
    `Tried to use AMP with the \`${backend}\` backend, but the backend has not ` +
    "registered a module or  the module miss some necessary funcs. The backend should register " +
    "a module by `torch._register_device_module`, and the module must have these funcs: \n" +
    "`get_amp_supported_dtype() -> List[torch.dtype]`. \n";
  const module = device_module(backend);
  if (module === null) throw new AssertionError(message);
  const func = member_of(module, "get_amp_supported_dtype") as (() => readonly dtype[]) | undefined;
  if (func === undefined) throw new AssertionError(`${message}But the func \`get_amp_supported_dtype\` is missing. \n`);
  return func();
}

/** Whether autocast can be enabled; otherwise it warns with the reason. */
function check_enabled(device: string, fast_dtype: dtype, supported: readonly dtype[]): boolean {
  if (device === "cuda") {
    warn("UserWarning", "CUDA is not available or torch_xla is imported. Disabling autocast.");
    return false;
  }
  if (supported.includes(fast_dtype)) return true;
  const name = device === _C._get_privateuse1_backend_name() ? device : device.toUpperCase();
  warn(
    "UserWarning",
    `In ${name} autocast, but the target dtype is not supported. Disabling autocast.\n` +
      `${name} Autocast only supports dtypes of ${supported.join(", ")} currently.`,
  );
  return false;
}

/**
 * Hears of each region that begins (with its arguments) and ends (without); a tracer sets it. (In PyTorch the region asks for the mode
 * `PreDispatchTorchFunctionMode`.)
 */
export const region_hook: { note: ((func: unknown, args: readonly unknown[]) => void) | null } = { note: null };

/** The state of autocast, saved at the beginning of a region and restored at its end. */
interface State {
  readonly enabled: boolean;
  readonly fast_dtype: dtype;
  readonly cache_enabled: boolean;
}

export class AutocastContext extends AbstractContextManager {
  readonly device: string;
  readonly fast_dtype: dtype;
  readonly _enabled: boolean;
  readonly _cache_enabled: boolean;
  private prev: State | null = null;

  constructor(device_type: string, dtype: dtype | null, enabled: boolean, cache_enabled: boolean | null) {
    super();
    check_device_type(device_type);
    this.device = device_type;
    this.fast_dtype = dtype ?? _C.get_autocast_dtype(device_type);
    if (!is_autocast_available(device_type))
      throw new RuntimeError(`User specified an unsupported autocast device_type '${device_type}'`);
    const backend = _C._get_privateuse1_backend_name();
    const supported = device_type === backend ? get_amp_supported_dtype(backend) : [torch.bfloat16, torch.float16];
    this._cache_enabled = cache_enabled ?? _C.is_autocast_cache_enabled();
    this._enabled = enabled && check_enabled(device_type, this.fast_dtype, supported);
  }

  private set(state: State): void {
    _C.set_autocast_enabled(this.device, state.enabled);
    _C.set_autocast_dtype(this.device, state.fast_dtype);
    _C.set_autocast_cache_enabled(state.cache_enabled);
  }

  override __enter__(): this {
    this.prev = {
      enabled: _C.is_autocast_enabled(this.device),
      fast_dtype: _C.get_autocast_dtype(this.device),
      cache_enabled: _C.is_autocast_cache_enabled(),
    };
    this.set({ enabled: this._enabled, fast_dtype: this.fast_dtype, cache_enabled: this._cache_enabled });
    _C.autocast_increment_nesting();
    region_hook.note?.(_enter_autocast, [this.device, this.fast_dtype, this._enabled, this._cache_enabled]);
    return this;
  }

  override __exit__(): void {
    if (_C.autocast_decrement_nesting() === 0) _C.clear_autocast_cache();
    if (this.prev !== null) this.set(this.prev);
    region_hook.note?.(_exit_autocast, []);
  }

  /** `fn` with every call inside a region. */
  decorate<F extends Callable>(fn: F): F {
    if (typeof fn !== "function") {
      throw new TypeError_(
        `autocast()(func) requires a callable, but got ${type_name(fn)}. ` +
          "Did you mean to use autocast as a context manager? For example:\n" +
          "    with torch.autocast(device_type=...):\n" +
          "        output = model(input)",
      );
    }
    return ((...args: Any[]) => call_inside(this, () => fn(...args))) as F;
  }
}

/**
 * Inside this region, operators choose their dtype: matrix products and convolutions use the lower precision, losses and other sensitive
 * operators float32, and operators that join tensors the widest dtype among their inputs.
 * @param dtype bfloat16 or float16; by default, the result of `torch.get_autocast_dtype`
 * @param cache_enabled whether the cast of a weight is cached until the outermost region ends
 * @example torch.autocast("cpu", () => model(input));
 */
export const autocast = def_context(
  "autocast.__init__(self, device_type, dtype=None, enabled=True, cache_enabled=None)",
  AutocastContext,
);

/** Begins a region, whose end is `_exit_autocast`: graphs have these two calls in the place of a `with` block. */
export const _enter_autocast = def(
  "_enter_autocast(*vals)",
  ([device_type, dtype, enabled, cache_enabled]: readonly Any[]): AutocastContext =>
    new AutocastContext(device_type, dtype ?? null, enabled ?? true, cache_enabled ?? null).__enter__(),
);
/** Ends the region that `_enter_autocast` gave. */
export const _exit_autocast = def("_exit_autocast(mode)", (mode: AutocastContext): void => mode.__exit__());

/** The class under its old name, from when each device had its own. */
function old_autocast(device_type: "cpu" | "cuda", fast: "bfloat16" | "float16") {
  return def_context(
    `autocast.__init__(self, enabled=True, dtype=torch.${fast}, cache_enabled=True)`,
    class autocast extends AutocastContext {
      constructor(enabled: boolean, dtype: dtype | string, cache_enabled: boolean) {
        warn(
          "FutureWarning",
          `\`torch.${device_type}.amp.autocast(args...)\` is deprecated. Please use \`torch.amp.autocast('${device_type}', args...)\` instead.`,
        );
        super(device_type, typeof dtype === "string" ? torch[fast] : dtype, enabled, cache_enabled);
      }
    },
  );
}

/** `torch.cpu.amp.autocast`, a deprecated name. */
export const cpu_autocast = old_autocast("cpu", "bfloat16");
/** `torch.cuda.amp.autocast`, a deprecated name. */
export const cuda_autocast = old_autocast("cuda", "float16");

// Custom functions -----------------------------------------------------------------------------------------------------------

/** Casts the floating tensors of the device, including those inside arrays and dicts; float64 tensors are not cast. */
export function _cast(value: unknown, device_type: string, dtype: dtype): unknown {
  if (value instanceof Tensor) {
    const eligible = value.is_floating_point() && value.device.type === device_type && value.dtype !== torch.float64;
    return eligible ? value.to(dtype) : value;
  }
  if (Array.isArray(value)) return value.map((v) => _cast(v, device_type, dtype));
  if (value instanceof Map)
    return new Map([...value].map(([k, v]) => [_cast(k, device_type, dtype), _cast(v, device_type, dtype)]));
  if (isDict(value))
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, _cast(v, device_type, dtype)]));
  return value;
}

/**
 * Decorates `forward` of an `autograd.Function`: `static forward = custom_fwd((ctx, x) => ..., {device_type: "cpu"})`.
 * @param cast_inputs the dtype to which the inputs are cast inside a region; then `forward` runs with autocast disabled
 */
export const custom_fwd = def(
  "custom_fwd(fwd=None, *, device_type, cast_inputs=None)",
  (fwd: Callable | null, device_type: string, cast_inputs: dtype | null): Any => {
    check_device_type(device_type);
    if (fwd === null) return (fn: Callable) => custom_fwd(fn, { device_type, cast_inputs });
    return (ctx: Any, ...args: unknown[]): unknown => {
      ctx._dtype = _C.get_autocast_dtype(device_type);
      const inside = _C.is_autocast_enabled(device_type);
      ctx._fwd_used_autocast = cast_inputs === null && inside;
      if (cast_inputs === null || !inside) return fwd(ctx, ...args);
      const cast = args.map((arg) => _cast(arg, device_type, cast_inputs));
      return autocast(device_type, { enabled: false }, () => fwd(ctx, ...cast));
    };
  },
);

/** Decorates `backward` of an `autograd.Function`: it runs with the autocast state of its `forward`. */
export const custom_bwd = def(
  "custom_bwd(bwd=None, *, device_type)",
  (bwd: Callable | null, device_type: string): Any => {
    check_device_type(device_type);
    if (bwd === null) return (fn: Callable) => custom_bwd(fn, { device_type });
    return (ctx: Any, ...args: unknown[]): unknown =>
      autocast(device_type, { enabled: ctx._fwd_used_autocast, dtype: ctx._dtype }, () => bwd(ctx, ...args));
  },
);
