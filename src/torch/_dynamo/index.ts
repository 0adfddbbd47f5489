/**
 * @file `torch.compile`, and the names of `torch._dynamo`.
 * @mirrors torch/_dynamo/__init__.py
 */
import "./backends/debugging.ts";
import "./backends/inductor.ts";
import "./variables/builder.ts";
import { AssertionError } from "#c10/util/Exception";
import { type_of } from "#python/Objects/typeobject";
import { settings_of } from "#torch/_inductor/mode_options";
import { def } from "#torch/_signature";
import { InvalidBackend, list_backends, register_backend } from "./backends/registry.ts";
import { wrapper } from "./compiled_function.ts";
import { config } from "./config.ts";
import { graph_break } from "./decorators.ts";
import * as api from "./eval_frame.ts";
import * as exc from "./exc.ts";
import { explain } from "./explain.ts";
import { GuardFail, register_bytecode_hook } from "./hooks.ts";
import { logs } from "./logging.ts";
import { mark_dynamic, mark_static, maybe_mark_dynamic } from "./marks.ts";
import { CompileCounter, CompileCounterWithBackend } from "./testing.ts";
import { counters } from "./utils.ts";

interface CompileOptions {
  readonly fullgraph: boolean;
  readonly dynamic: boolean | null;
  readonly backend: unknown;
  readonly mode: string | null;
  readonly options: unknown;
  readonly disable: boolean;
  readonly recompile_limit: number | null;
}

/** The part of `torch.compile` that needs the translator. */
export function compile(model: unknown, { fullgraph, disable, mode, options, ...given }: CompileOptions): unknown {
  const backend = given.backend ?? "inductor";
  const { dynamic, recompile_limit } = given;
  if (dynamic !== null && typeof dynamic !== "boolean")
    throw new AssertionError(`Expected enable to be a bool, got <class '${type_of(dynamic).name}'>`);
  // Any other backend gets what was given for Inductor as it is.
  const settings = settings_of(mode, options);
  const compile_one = (fn: unknown): unknown =>
    disable ? fn : api.compile_with(fn, backend, { fullgraph, dynamic, recompile_limit, settings });
  return model === null ? wrapper(null, ([fn]) => compile_one(fn)) : compile_one(model);
}

const set_logs = def("set_logs(*, recompiles=False, **modules)", (recompiles: boolean): void => {
  logs.recompiles = recompiles;
});

/** `torch._logging`. */
export const _logging = { set_logs };

/** The names of `torch._dynamo`. */
export const namespace = {
  explain,
  reset: api.reset,
  graph_break,
  disable: api.disable,
  allow_in_graph: api.allow_in_graph,
  optimize: api.optimize_with,
  mark_dynamic,
  maybe_mark_dynamic,
  mark_static,
  list_backends,
  register_backend,
  config,
  OptimizedModule: api.OptimizedModule,
  exc: { ...exc, InvalidBackend },
  utils: {
    get counters() {
      return counters.dict;
    },
  },
  testing: { CompileCounter, CompileCounterWithBackend },
  eval_frame: { OptimizedModule: api.OptimizedModule },
  convert_frame: { register_bytecode_hook },
  types: { GuardFail },
};

/** The names that the entry adds to `torch.compiler`. */
export const compiler = {
  reset: api.reset,
  disable: api.disable,
  allow_in_graph: api.allow_in_graph,
  set_stance: api.set_stance,
  list_backends,
};
