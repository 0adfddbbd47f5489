/**
 * @file Activation checkpointing: a region of forward saves its inputs instead of its activations, and runs again when backward needs them.
 * @mirrors torch/utils/checkpoint.py
 * @differs Ours refuses `debug`, which needs stack traces, and recomputes without autocast on a device whose module has none; PyTorch
 * refuses such a device.
 * @see _checkpoint_frame.ts (what is kept, and how it comes back); _checkpoint_selective.ts (which operators run again)
 */
import { NotImplementedError, RuntimeError, ValueError, warn, ZeroDivisionError } from "#c10/util/Exception";
import { _C, _get_graph_exec_group, _set_graph_exec_group, AbstractContextManager } from "#torch/_C";
import { device_module } from "#torch/_device_module";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_name } from "#torch/_utils/index";
import { autocast, is_autocast_available } from "#torch/amp/autocast_mode";
import { Function } from "#torch/autograd/function";
import { enable_grad, no_grad } from "#torch/autograd/grad_mode";
import { _is_checkpoint_valid, backward } from "#torch/autograd/index";
import { Sequential } from "#torch/nn/modules/container/index";
import { fork_rng, get_rng_state, set_rng_state } from "#torch/random";
import type { dtype } from "#torch/types";
import { _infer_device_type, get_device_states, is_initialized, set_device_states } from "./_checkpoint_devices.ts";
import { _allowed_determinism_checks_to_fns, _CheckpointFrame, CheckpointError } from "./_checkpoint_frame.ts";
import { def_context } from "./_contextlib.ts";

export { DefaultDeviceType } from "./_checkpoint_devices.ts";
export {
  CheckpointPolicy,
  create_selective_checkpoint_contexts,
  type PolicyFn,
  SAC_IGNORED_OPS,
  SelectiveCheckpointContext,
} from "./_checkpoint_selective.ts";
export { CheckpointError, get_device_states, set_device_states };

// biome-ignore lint/suspicious/noExplicitAny: a region may take and return anything
type Any = any;
type Region = (...args: Any[]) => Any;
type ContextFn = () => readonly [forward: AbstractContextManager, recompute: AbstractContextManager];

// Settings for all regions; null leaves the choice to each region --------------------------------------------------------

let _checkpoint_debug_enabled: boolean | null = null;
let _enable_checkpoint_early_stop: boolean | null = null;

/** Overrides the option `debug` of every region inside the context; null: each region's own option. */
export const set_checkpoint_debug_enabled = def_context(
  "set_checkpoint_debug_enabled(enabled)",
  class extends AbstractContextManager {
    private readonly enabled: boolean | null;
    private prev: boolean | null = null;

    constructor(enabled: boolean | null) {
      super();
      this.enabled = enabled;
    }

    override __enter__(): void {
      this.prev = _checkpoint_debug_enabled;
      _checkpoint_debug_enabled = this.enabled;
    }

    override __exit__(): void {
      _checkpoint_debug_enabled = this.prev;
    }
  },
);

/** Overrides the option `early_stop` of the regions whose forward runs inside the context. */
export const set_checkpoint_early_stop = def_context(
  "set_checkpoint_early_stop(enable)",
  class extends AbstractContextManager {
    private readonly enable: boolean;
    private prev: boolean | null = null;

    constructor(enable: boolean) {
      super();
      this.enable = enable;
    }

    override __enter__(): void {
      this.prev = _enable_checkpoint_early_stop;
      _enable_checkpoint_early_stop = this.enable;
    }

    override __exit__(): void {
      _enable_checkpoint_early_stop = this.prev;
    }
  },
);

/**
 * Treats all backwards inside as one: a region runs again at most once, however many of them need it. No two may need the same activation.
 * It is for regions with `use_reentrant` false.
 */
export class GraphExecGroup extends AbstractContextManager {
  override __enter__(): this {
    const current = _get_graph_exec_group();
    if (current !== null)
      throw new RuntimeError(`GraphExecGroup contexts cannot be nested. Already inside group ${current}`);
    _set_graph_exec_group(this);
    return this;
  }

  override __exit__(): void {
    _set_graph_exec_group(null);
  }
}

// Reentrant: a backward inside backward ----------------------------------------------------------------------------------

/** Detached copies that share memory: leaves, one for each tensor. */
export const detach_variable = def("detach_variable(inputs)", (inputs: readonly unknown[]): unknown[] => {
  if (!Array.isArray(inputs)) {
    throw new RuntimeError(`Only tuple of tensors is supported. Got Unsupported input type: ${type_name(inputs)}`);
  }
  return inputs.map((input) => {
    if (!(input instanceof Tensor)) return input;
    const x = input.detach();
    x.requires_grad = input.requires_grad;
    return x;
  });
});

/** Warns if no input requires a gradient, since no parameter would get one. */
export const check_backward_validity = def("check_backward_validity(inputs)", (inputs: Iterable<unknown>): void => {
  for (const input of inputs) if (input instanceof Tensor && input.requires_grad) return;
  warn("UserWarning", "None of the inputs have requires_grad=True. Gradients will be None");
});

interface AutocastKwargs {
  readonly enabled: boolean;
  readonly dtype: dtype;
  readonly cache_enabled: boolean;
}

/** State outside the arguments that affects the forward of a region. */
interface Surroundings {
  /** null: the recomputation continues with the current state of the generators. */
  readonly rng_state: Tensor | null;
  readonly device_type: string;
  readonly device_states: readonly [devices: number[], states: Tensor[]];
  readonly autocasts: readonly (readonly [device_type: string, kwargs: AutocastKwargs])[];
}

/** Whether a device has autocast; an external backend has it only if its module names the supported dtypes. */
function has_autocast(device_type: string): boolean {
  if (device_type === _C._get_privateuse1_backend_name())
    return device_module(device_type)?.["get_amp_supported_dtype"] !== undefined;
  return is_autocast_available(device_type);
}

function surroundings(args: readonly unknown[], preserve_rng_state: boolean): Surroundings {
  const device_type = _infer_device_type(args);
  const with_autocast = [...new Set(["cpu", device_type])].filter(has_autocast);
  const cache_enabled = torch.is_autocast_cache_enabled();
  return {
    rng_state: preserve_rng_state ? get_rng_state() : null,
    device_type,
    device_states: preserve_rng_state && is_initialized(device_type) ? get_device_states(...args) : [[], []],
    autocasts: with_autocast.map((type) => [
      type,
      { enabled: torch.is_autocast_enabled(type), dtype: torch.get_autocast_dtype(type), cache_enabled },
    ]),
  };
}

/** Runs `fn` with the random state and the autocast state of forward, and restores the current states afterwards. */
function surrounded<R>({ rng_state, device_type, device_states, autocasts }: Surroundings, fn: () => R): R {
  const [devices, states] = device_states;
  return fork_rng({ devices, enabled: rng_state !== null, device_type }, () => {
    if (rng_state !== null) set_rng_state(rng_state);
    set_device_states(devices, states, { device_type });
    return autocasts.reduce(
      (body, [type, kwargs]) =>
        () =>
          autocast(type, kwargs, body),
      fn,
    )();
  });
}

/** The region as a node: its backward runs the region again with a separate graph, and calls backward on that. */
export class CheckpointFunction extends Function {
  static override forward(ctx: Any, run_function: Region, preserve_rng_state: boolean, ...args: unknown[]): unknown {
    check_backward_validity(args);
    ctx.run_function = run_function;
    ctx.surroundings = surroundings(args, preserve_rng_state);
    // Tensors are saved with save_for_backward, so that changes are detected; all other arguments are stored in between.
    ctx.inputs = args.map((arg) => (arg instanceof Tensor ? null : arg));
    ctx.tensor_indices = [...args.keys()].filter((i) => args[i] instanceof Tensor);
    ctx.save_for_backward(...args.filter((arg) => arg instanceof Tensor));
    return no_grad(() => run_function(...args));
  }

  static override backward(ctx: Any, ...grads: (Tensor | null)[]): unknown {
    if (!_is_checkpoint_valid()) {
      throw new RuntimeError(
        "When use_reentrant=True, torch.utils.checkpoint is incompatible" +
          " with .grad() or passing an `inputs` parameter to .backward()." +
          " To resolve this error, you can either set use_reentrant=False," +
          " or call .backward() without passing the `inputs` argument.",
      );
    }
    const inputs = [...ctx.inputs];
    const tensors = ctx.saved_tensors;
    for (const [i, at] of ctx.tensor_indices.entries()) inputs[at] = tensors[i];
    const detached_inputs = detach_variable(inputs);
    const returned: unknown = surrounded(ctx.surroundings, () =>
      enable_grad(() => ctx.run_function(...detached_inputs)),
    );
    const outputs = Array.isArray(returned) ? returned : [returned];
    const with_grad = [...outputs.keys()].filter((i) => outputs[i] instanceof Tensor && outputs[i].requires_grad);
    if (with_grad.length === 0)
      throw new RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary");
    backward(
      with_grad.map((i) => outputs[i]),
      with_grad.map((i) => grads[i]),
    );
    return [null, null, ...detached_inputs.map((input) => (input instanceof Tensor ? input.grad : null))];
  }
}

// Non-reentrant: saved-tensor hooks --------------------------------------------------------------------------------------

interface Options {
  readonly preserve_rng_state: boolean;
  readonly context_fn: ContextFn | null;
  readonly determinism_check: string;
  readonly debug: boolean;
  readonly early_stop: boolean;
}

class nullcontext extends AbstractContextManager {
  override __enter__(): void {}
  override __exit__(): void {}
}

/** Two contexts that do nothing: the default of `context_fn`. */
export const noop_context_fn = def(
  "noop_context_fn()",
  (): ReturnType<ContextFn> => [new nullcontext(), new nullcontext()],
);

/** `with context: return body()`; null stands for no context. */
function inside<R>(context: AbstractContextManager | null, body: () => R): R {
  context?.__enter__();
  try {
    return body();
  } finally {
    context?.__exit__();
  }
}

function checkpoint_without_reentrant(fn: () => Any, rerun: Region, args: readonly unknown[], options: Options): Any {
  if (_checkpoint_debug_enabled ?? options.debug) {
    if (options.context_fn !== null) throw new ValueError("debug=True is incompatible with non-default context_fn");
    throw new NotImplementedError("checkpoint(): debug=True is not implemented");
  }
  const checks = _allowed_determinism_checks_to_fns;
  if (!Object.hasOwn(checks, options.determinism_check)) {
    const allowed = Object.keys(checks).map((name) => `'${name}'`);
    throw new ValueError(
      `determinism_check should be one of [${allowed.join(", ")}], but got ${options.determinism_check}`,
    );
  }
  const [forward_context, recompute_context] = options.context_fn?.() ?? [null, null];
  const then = surroundings(args, options.preserve_rng_state);
  const recompute_fn = (...saved: unknown[]): void =>
    surrounded(then, () => inside(recompute_context, () => rerun(...saved)));
  const frame = new _CheckpointFrame(
    recompute_fn,
    _enable_checkpoint_early_stop ?? options.early_stop,
    checks[options.determinism_check],
  );
  if (!torch.is_grad_enabled()) return fn();
  frame.save_inputs(args);
  const result = inside(frame.checkpoint_hook(), () => inside(forward_context, fn));
  frame.complete_forward();
  return result;
}

// Both forms -------------------------------------------------------------------------------------------------------------

/**
 * Calls `fn(...args)` without storing its activations; backward computes them again. `fn` must do the same both times.
 * @param use_reentrant false: it uses saved-tensor hooks, and other keyword arguments are passed to `fn`; true: it runs a backward inside
 * backward, which `torch.autograd.grad` refuses.
 * @param context_fn returns two contexts, one for forward and one for the recomputation
 * @param determinism_check "default": shapes, dtypes and devices must be equal both times; "none": no check
 * @param early_stop whether the recomputation stops when backward has all tensors that it needs
 */
export const checkpoint = def(
  "checkpoint(function, *args, use_reentrant=None, context_fn=noop_context_fn, determinism_check='default', debug=False, early_stop=True, **kwargs)",
  (
    fn: Region,
    args: unknown[],
    use_reentrant: boolean | null,
    context_fn: ContextFn | "noop_context_fn",
    determinism_check: string,
    debug: boolean,
    early_stop: boolean,
    kwargs: Record<string, unknown>,
  ): Any => {
    if (use_reentrant === null) {
      warn(
        "UserWarning",
        "torch.utils.checkpoint: the use_reentrant parameter should be " +
          "passed explicitly. Starting in PyTorch 2.9, calling checkpoint " +
          "without use_reentrant will raise an exception. use_reentrant=False is " +
          "recommended, but if you need to preserve the current default " +
          "behavior, you can pass use_reentrant=True. Refer to docs for more " +
          "details on the differences between the two variants.",
      );
    }
    const { preserve_rng_state = true, ...rest } = kwargs as { preserve_rng_state?: boolean };
    const names = Object.keys(rest);
    const given_context_fn = context_fn === "noop_context_fn" || context_fn === noop_context_fn ? null : context_fn;
    if (use_reentrant ?? true) {
      if (names.length > 0) throw new ValueError(`Unexpected keyword arguments: ${names.join(",")}`);
      if (given_context_fn !== null || debug !== false)
        throw new ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.");
      return CheckpointFunction.apply(fn, preserve_rng_state, ...args);
    }
    const run = (...given: unknown[]): Any => (names.length === 0 ? fn(...given) : fn(...given, rest));
    return checkpoint_without_reentrant(() => run(...args), run, args, {
      ...{ preserve_rng_state, context_fn: given_context_fn, determinism_check, debug, early_stop },
    });
  },
);

/**
 * Runs functions one after the other, in `segments` regions; all regions except the last are checkpointed.
 * @param functions an `nn.Sequential` or a list
 */
export const checkpoint_sequential = def(
  "checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs)",
  (
    functions: Sequential | readonly Region[],
    segments: number,
    input: Any,
    use_reentrant: boolean | null,
    kwargs: Record<string, unknown>,
  ): Any => {
    if (use_reentrant === null) {
      warn(
        "UserWarning",
        "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant " +
          "parameter should be passed explicitly. " +
          "In version 2.9 we will raise an exception if use_reentrant " +
          "is not passed. use_reentrant=False is " +
          "recommended, but if you need to preserve the current default " +
          "behavior, you can pass use_reentrant=True. Refer to docs for more " +
          "details on the differences between the two variants.",
      );
    }
    const { preserve_rng_state = true, ...rest } = kwargs as { preserve_rng_state?: boolean };
    if (Object.keys(rest).length > 0)
      throw new ValueError(`Unexpected keyword arguments: ${Object.keys(rest).join(",")}`);
    const list = functions instanceof Sequential ? ([...functions.children()] as unknown as Region[]) : functions;
    if (segments === 0) throw new ZeroDivisionError("integer division or modulo by zero");
    const segment_size = Math.floor(list.length / segments);
    if (segment_size === 0) throw new ValueError("range() arg 3 must not be zero");
    const run = (from: number, to: number) => (value: Any) =>
      list.slice(from, to).reduce((passed, fn) => fn(passed), value);
    let start = 0;
    for (; start < segment_size * (segments - 1); start += segment_size) {
      input = checkpoint(run(start, start + segment_size), input, {
        use_reentrant: use_reentrant ?? true,
        preserve_rng_state,
      });
    }
    return run(start, list.length)(input);
  },
);
