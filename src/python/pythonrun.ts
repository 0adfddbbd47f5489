/**
 * @file Running a text as a program, and the module that it leaves.
 * @mirrors Python/pythonrun.c (CPython 3.11)
 */
import "./Objects/type_attributes.ts";
import "./Objects/function_attributes.ts";
import "./Objects/instance_dict.ts";
import "./vm/javascript.ts";
import { builtins as builtin_names } from "./builtins/index.ts";
import { streams } from "./builtins/print.ts";
import type { Code } from "./compiler/code.ts";
import { compile } from "./compiler/index.ts";
import { host } from "./Modules/host.ts";
import { find_library } from "./Modules/index.ts";
import { builtins } from "./Objects/builtins_of.ts";
import { PyDict } from "./Objects/dictobject.ts";
import { MemoryError } from "./Objects/exceptions.ts";
import { PyModule } from "./Objects/moduleobject.ts";
import { add_machine_functions } from "./vm/builtin_functions.ts";
import { run_frame } from "./vm/ceval.ts";
import { type Frame, frame_above, make_frame } from "./vm/frame.ts";
import { hooks, limits } from "./vm/hooks.ts";
import { finders, import_module, modules } from "./vm/import.ts";
import { sources } from "./vm/traceback.ts";

export type Writer = (text: string) => void;

const { process } = globalThis as { process?: { readonly stdout?: { write: (text: string) => void } } };
streams.stdout = {
  write: (text) => (process?.stdout === undefined ? console.log(text.replace(/\n$/, "")) : process.stdout.write(text)),
};

for (const [name, value] of builtin_names) builtins.set(name, value);
add_machine_functions();
finders.push(find_library);

const builtins_module = new PyModule("builtins");
Object.defineProperty(builtins_module, "__dict__", { value: builtins });
modules.set("builtins", builtins_module);

export interface RunOptions {
  /** Name of the file in tracebacks; default `<string>`. */
  readonly filename?: string;
  /** `__name__` of the module; default `__main__`. */
  readonly name?: string;
  /** Names that the program finds already set. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Gets what the program prints; default: the process' output or the console. */
  readonly stdout?: Writer;
  readonly limit?: RunLimit;
}

export interface RunLimit {
  /** How many may run, about; the program then ends with a RuntimeError. */
  readonly instructions?: number;
  /** Bytes by which the heap may grow, about, where the host tells its size; the program then gets a MemoryError. */
  readonly memory?: number;
  /** Is called now and then while the program runs, so that a host can tell where it is. It may raise. */
  readonly look?: () => void;
}

/** A module as TypeScript sees it: every global under its name, and all of them in `__dict__`. */
// biome-ignore lint/suspicious/noExplicitAny: the names of a program have no types in TypeScript
export type ModuleView = { readonly __dict__: PyDict } & Readonly<Record<string, any>>;

/** Lets TypeScript write `module.f(x)`. */
function view(module: PyModule): ModuleView {
  return new Proxy(module, {
    get: (_, name) =>
      name === "__dict__" ? module.__dict__ : typeof name === "string" ? module.__dict__.get(name) : undefined,
    has: (_, name) => module.__dict__.has(name),
    ownKeys: () => [...module.__dict__.keys()] as string[],
    getOwnPropertyDescriptor: (_, name) =>
      module.__dict__.has(name)
        ? { value: module.__dict__.get(name), enumerable: true, configurable: true }
        : undefined,
  }) as unknown as ModuleView;
}

function with_options<T>({ stdout: write, limit }: RunOptions, run: () => T): T {
  const before = streams.stdout;
  const { left, later, look, recursion } = limits;
  if (write !== undefined) streams.stdout = { write };
  if (limit !== undefined) limits.set(limit.instructions ?? Number.POSITIVE_INFINITY, looking(limit));
  try {
    return run();
  } finally {
    streams.stdout = before;
    Object.assign(limits, { left, later, look, recursion });
  }
}

/** Milliseconds between two questions for the size of the heap, which a host does not answer for nothing. */
const MEMORY_EVERY = 20;

/** The function to call now and then; null if nobody wants to look. */
function looking({ memory, look }: RunLimit): (() => void) | null {
  if (memory === undefined) return look ?? null;
  const most = (host.memory() ?? 0) + memory;
  let asked = performance.now();
  return () => {
    look?.();
    const now = performance.now();
    if (now - asked < MEMORY_EVERY) return;
    asked = now;
    if ((host.memory() ?? 0) > most) throw new MemoryError();
  };
}

/**
 * Runs a program.
 * @param text the program
 * @returns its module
 * @throws what the program raises; `format_exception` gives Python's text with the traceback
 */
export function python(text: string, options: RunOptions = {}): ModuleView {
  const { filename = "<string>", name = "__main__", globals = {} } = options;
  const module = new PyModule(name);
  const namespace = module.__dict__;
  namespace.set("__builtins__", builtins_module);
  namespace.set("__annotations__", new PyDict());
  if (!filename.startsWith("<")) {
    namespace.set("__file__", filename);
    namespace.set("__cached__", null);
  }
  for (const [key, value] of Object.entries(globals)) namespace.set(key, value);
  modules.set(name, module);
  sources.set(filename, text);
  with_options(options, () => run_code(compile(text, filename, "exec"), namespace));
  return view(module);
}

function run_code(code: Code, namespace: PyDict): unknown {
  return run_frame(make_frame(code, namespace, builtins, namespace));
}

/** The value of an expression. */
python.expr = (text: string, globals: Readonly<Record<string, unknown>> = {}): unknown => {
  const namespace = new PyDict();
  for (const [key, value] of Object.entries(globals)) namespace.set(key, value);
  return run_code(compile(text, "<string>", "eval"), namespace);
};

/** Imports a module by its name. */
python.import_ = (name: string): unknown => {
  const module = import_module(name);
  return module instanceof PyModule ? view(module) : module;
};

/** `sys.modules`. */
python.modules = modules;
python.hooks = hooks;
/** The frame that runs, or one that called it; null if no program runs so deep. */
python.frame = (depth = 0): Frame | null => frame_above(depth);
