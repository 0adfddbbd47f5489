/**
 * @file `torch.compile` as a program sees it: a function around the program's own, which sets the hook while it runs.
 * @mirrors torch/_dynamo/eval_frame.py
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { call_with_keywords, vectorcall } from "#python/Objects/call";
import { OSError } from "#python/Objects/exceptions";
import { is_function } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined, repr, setattr } from "#python/Objects/object";
import { full_name, info_of, type_of } from "#python/Objects/typeobject";
import type { Frame } from "#python/vm/frame";
import { with_settings } from "#torch/_inductor/mode_options";
import { def } from "#torch/_signature";
import { library_name } from "#torch/fx/qualified_names";
import { Module } from "#torch/nn/modules/module/index";
import {
  type CacheEntry,
  type Callback,
  type ExtraState,
  reset_code_state,
  set_eval_frame,
  without_eval_frame,
} from "./_C.ts";
import { lookup_backend } from "./backends/registry.ts";
import { wrapper } from "./compiled_function.ts";
import { config } from "./config.ts";
import { type ConvertOptions, compile_frame } from "./convert_frame.ts";
import { BackendCompilerFailed, FailOnRecompileLimitHit, SkipFrame, Unsupported, UserError } from "./exc.ts";
import { wrap_inline } from "./external_utils.ts";
import type { Hooks } from "./hooks.ts";
import { count_recompile_limit, log_recompile, warn_recompile_limit } from "./logging.ts";
import { ObservedException } from "./observed.ts";
import { allowed_in_graph, compiled_functions, disabled } from "./trace_rules.ts";
import { counters } from "./utils.ts";

/** The stance: how compiled functions run. */
let stance: "default" | "force_eager" | "eager_on_recompile" | "fail_on_recompile" = "default";

/** Makes the callback that compiles frames for one backend. */
function callback_of(options: ConvertOptions, backend: unknown): Callback {
  return {
    backend,
    run_only: false,
    convert(frame: Frame, state: ExtraState): CacheEntry | null {
      if (is_skipped(frame)) {
        state.skip = true;
        return null;
      }
      const { length } = state.cache_entry_list;
      if (!options.one_graph) counters.increment("frames", "total");
      if (length > 0) {
        log_recompile(frame, state, options);
        if (stance === "fail_on_recompile")
          throw new RuntimeError("Detected recompile when torch.compile stance is 'fail_on_recompile'");
        if (stance === "eager_on_recompile") return null;
      }
      if (length >= (options.recompile_limit ?? config.recompile_limit)) {
        if (options.one_graph || config.fail_on_recompile_limit_hit)
          throw new FailOnRecompileLimitHit(
            "Hard failure due to fullgraph=True or torch._dynamo.error_on_graph_break: recompile_limit reached",
          );
        count_recompile_limit();
        warn_recompile_limit(frame, state);
        state.skip = true;
        return null;
      }
      try {
        const { code, check_fn } = compile_frame(frame, options, state.frame_state);
        return { code, check_fn, backend, frame_compile_id: length };
      } catch (error) {
        if (error instanceof BackendCompilerFailed || error instanceof UserError) throw error;
        if (options.one_graph && !(error instanceof SkipFrame)) throw error;
        const is_expected =
          error instanceof Unsupported || error instanceof SkipFrame || error instanceof ObservedException;
        if (!is_expected) throw error;
        if (error instanceof SkipFrame) counters.increment("frames", "ok");
        state.skip = true;
        return null;
      }
    },
  };
}

/** Frames of the standard library and of graphs are not followed. */
function is_skipped(frame: Frame): boolean {
  const { co_filename } = frame.f_code;
  return co_filename.startsWith("Lib/") || co_filename.startsWith("<eval_with_key>");
}

/** Whether `fn` is a program's own function of TypeScript, and no function of the library or class. */
const is_typescript = (fn: unknown): boolean =>
  typeof fn === "function" &&
  type_of(fn).name === "function" &&
  !is_function(fn) &&
  !("_torchdynamo_orig_callable" in fn) &&
  library_name(fn) === undefined;

interface Compiled {
  readonly callback: Callback;
  readonly original: unknown;
}

/** Runs `fn` with the hook set. */
function run_compiled(
  { callback, original }: Compiled,
  args: readonly unknown[],
  kwargs: ReadonlyMap<string, unknown>,
): unknown {
  const next = stance === "force_eager" ? null : callback;
  const before = set_eval_frame(next);
  try {
    return call_with_keywords(original, args, kwargs);
  } finally {
    set_eval_frame(before);
  }
}

/** The function or module, compiled. */
export function optimize(fn: unknown, options: ConvertOptions, backend: unknown): unknown {
  const callback = callback_of(options, backend);
  if (fn instanceof Module) return new OptimizedModule(fn, { callback, original: fn });
  if (is_typescript(fn))
    throw new OSError(
      `could not get source code of ${repr(fn)}: torch.compile follows the instructions of a Python function, and a function of TypeScript has none. ` +
        "Use torch._functorch.aot_autograd.aot_function(fn, ...), which compiles what a call of the function runs.",
    );
  const is_class = info_of(fn) !== undefined;
  if (is_class) {
    const method = getattr(fn, "__call__");
    setattr(fn, "__call__", optimize(method, options, backend));
    return fn;
  }
  if (typeof fn !== "function" && getattr_or_undefined(fn, "__call__") === undefined)
    throw new AssertionError(`A callable function is expected, but <class '${full_name(type_of(fn))}'> is provided.`);
  const target = getattr_or_undefined(fn, "_torchdynamo_orig_callable") ?? fn;
  const compiled: Compiled = { callback, original: target };
  const made = wrapper(target, (args, kwargs) => run_compiled(compiled, args, kwargs));
  if (is_function(target)) compiled_functions.set(made as object, target);
  return made;
}

/** A module whose `forward` is compiled. It shows the attributes of the module that it stands for. */
export class OptimizedModule extends Module {
  static readonly __module__ = "torch._dynamo.eval_frame";
  declare readonly _orig_mod: Module;

  constructor(mod: Module, compiled: Compiled) {
    super();
    this._orig_mod = mod;
    const original = is_library_module(mod) ? wrap_inline(mod) : mod;
    this.forward = wrapper(mod, (args, kwargs) => run_compiled({ ...compiled, original }, args, kwargs)) as never;
    show_attributes(this, mod);
  }
}

/** Attributes that the compiled module lacks are those of the module. */
function show_attributes(made: OptimizedModule, mod: Module): void {
  for (const name of ["training"] as const)
    Object.defineProperty(made, name, {
      get: () => mod[name],
      set: (value: boolean) => (mod[name] = value),
      configurable: true,
      enumerable: true,
    });
}

/** Whether the `forward` of a module is TypeScript, and has no frame that the hook could see. */
const is_library_module = (mod: Module): boolean =>
  !type_of(mod).mro.some((base) => base.heap && base.dict.has("forward"));

/** Forgets all compiled forms, and what was seen of sizes. */
export const reset = def("reset()", (): void => {
  reset_code_state();
});

/** The function, never compiled: a call of it breaks the graph. */
export const disable = def(
  "disable(fn=None, recursive=True, *, reason=None)",
  (fn: unknown, _recursive: boolean, reason: string | null): unknown => {
    const disable_one = (of: unknown): unknown => {
      const made = wrapper(of, (args, kwargs) => without_eval_frame(() => call_with_keywords(of, args, kwargs)));
      disabled.set(made as object, reason ?? "None");
      Object.defineProperty(made, "_torchdynamo_disable", { value: true, configurable: true });
      return made;
    };
    return fn === null ? disable_one : disable_one(fn);
  },
);

/** Calls of the function become nodes of the graph, and are not followed. */
export const allow_in_graph = def("allow_in_graph(fn)", (fn: unknown): unknown => {
  for (const it of Array.isArray(fn) ? fn : [fn]) allowed_in_graph.add(it as object);
  return fn;
});

/** How compiled functions run from now on. */
export const set_stance = def(
  "set_stance(stance='default', *, skip_guard_eval_unsafe=False, force_backend=None)",
  (given: string): void => {
    if (!["default", "force_eager", "eager_on_recompile", "fail_on_recompile"].includes(given))
      throw new RuntimeError(
        `invalid torch.compile stance 'DynamoStance(stance='${given}', skip_guard_eval_unsafe=False, backend=None)'`,
      );
    stance = given as typeof stance;
  },
);

/** Compiles for a backend: `torch._dynamo.optimize("eager")(fn)`. */
export const optimize_with = def(
  "optimize(backend='inductor', *, nopython=False, guard_export_fn=None, guard_fail_fn=None, disable=False, dynamic=None)",
  (
    backend: unknown,
    nopython: boolean,
    _: unknown,
    guard_fail_fn: unknown,
    is_disabled: boolean,
    dynamic: boolean | null,
  ) =>
    (fn: unknown): unknown =>
      is_disabled ? fn : compile_with(fn, backend, { fullgraph: nopython, dynamic, guard_fail_fn }),
);

/** How `compile_with` compiles. */
interface CompileWith extends Partial<Hooks> {
  readonly fullgraph: boolean;
  readonly dynamic: boolean | null;
  /** Compiled forms a frame may have; null: as the configuration says. */
  readonly recompile_limit?: number | null;
  /** Settings of Inductor that hold while a graph is compiled. */
  readonly settings?: ReadonlyMap<string, unknown>;
}

/** The function, compiled for a backend. */
export function compile_with(
  fn: unknown,
  backend: unknown,
  { fullgraph, dynamic, recompile_limit = null, settings = new Map(), guard_fail_fn = null }: CompileWith,
): unknown {
  const { fn: compiler_fn, name } = lookup_backend(backend);
  const disabled_compiler: typeof compiler_fn = (gm, inputs) =>
    without_hook(with_settings(settings, () => compiler_fn(gm, inputs)));
  return optimize(
    fn,
    {
      compiler_fn: disabled_compiler,
      backend_name: name,
      one_graph: fullgraph,
      ...{ dynamic, recompile_limit, guard_fail_fn },
      on_compile: null,
    },
    backend,
  );
}

/** The function of a backend runs without the hook: its frames are no frames of the program. */
export const without_hook = (compiled: unknown): unknown =>
  wrapper(compiled, (args) => without_eval_frame(() => vectorcall(compiled, [...args], null)));
