/**
 * @file Declaration and implementation of operators: TORCH_LIBRARY blocks and the registrations inside them.
 * @mirrors torch/library.h
 * @differs Macros become functions that run their block at once: importing a module is the equivalent of loading a
 * library in C++.
 */
import { DispatchKey, toString as keyToString } from "#c10/core/DispatchKey";
import { getDispatchTableIndexForDispatchKey, getRuntimeDispatchKeySet } from "#c10/core/DispatchKeySet";
import { below_root, parse_frame } from "#c10/util/Backtrace";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { nothing, traceCall, traceInstant, tracer } from "#c10/util/Trace";
import type { BoxedKernelFunction } from "./boxing/BoxedKernel.ts";
import { KernelFunction, type UnboxedKernelFunction } from "./boxing/KernelFunction.ts";
import { Dispatcher, type RegistrationsInWaiting } from "./dispatch/Dispatcher.ts";
import type { DebugInfo } from "./dispatch/OperatorEntry.ts";
import type { RegistrationHandleRAII } from "./dispatch/RegistrationHandleRAII.ts";
import type { AliasAnalysisKind, FunctionSchema } from "./function_schema.ts";
import { parseName, parseSchema } from "./function_schema_parser.ts";
import type { OperatorName } from "./operator_name.ts";

/** A kernel on its way into the dispatcher, with its registration options. */
export class CppFunction {
  readonly func_: KernelFunction;
  readonly dispatch_key_: DispatchKey | null;
  readonly debug_: string;

  private constructor(func: KernelFunction, dispatch_key: DispatchKey | null, debug: string) {
    this.func_ = func;
    this.dispatch_key_ = dispatch_key;
    this.debug_ = debug;
  }

  /** Skips the key it is registered for; see Note [Fallthrough] in dispatch/DispatchKeyExtractor.ts. */
  static makeFallthrough(): CppFunction {
    return new CppFunction(KernelFunction.makeFallthrough(), null, "");
  }
  static makeFromBoxedFunction(func: BoxedKernelFunction, name: string): CppFunction {
    return new CppFunction(KernelFunction.makeFromBoxedFunction(func, name), null, "");
  }
  static makeFromUnboxedFunction(func: UnboxedKernelFunction, name: string): CppFunction {
    return new CppFunction(KernelFunction.makeFromUnboxedFunction(func, name), null, "");
  }

  /** `torch::dispatch(key, f)`: a kernel for this key, inside a block that names none. */
  withDispatchKey(key: DispatchKey): CppFunction {
    return new CppFunction(this.func_, key, this.debug_);
  }
  debug(text: string): CppFunction {
    return new CppFunction(this.func_, this.dispatch_key_, text);
  }
}

export function dispatch(key: DispatchKey, func: CppFunction): CppFunction {
  return func.withDispatchKey(key);
}

/** Parses a schema line; its alias annotations are trusted unless another `kind` is given. */
export function schema(line: string, kind: AliasAnalysisKind = "FROM_SCHEMA", allow_typevars = false): FunctionSchema {
  const parsed = parseSchema(line, allow_typevars);
  parsed.setAliasAnalysis(kind);
  return parsed;
}

/** DEF claims a namespace, FRAGMENT adds definitions to one, IMPL adds kernels. */
export type LibraryKind = "DEF" | "IMPL" | "FRAGMENT";

const kindNames: Readonly<Record<LibraryKind, string>> = {
  DEF: "TORCH_LIBRARY",
  IMPL: "TORCH_LIBRARY_IMPL",
  FRAGMENT: "TORCH_LIBRARY_FRAGMENT",
};

/** Place of a block; a `CallSite` is read off the stack only when it is printed. */
export type Where = string | CallSite;

export class Library {
  readonly kind_: LibraryKind;
  /** null for the wildcard `_`, which only fallbacks may use. */
  readonly ns_: string | null;
  readonly dispatch_key_: DispatchKey | null;
  private readonly where_: Where;
  /** The text that dumps print for registrations without one of their own. */
  private readonly registered_: DebugInfo;
  private readonly registrars_: RegistrationHandleRAII[] = [];

  /** @param where place of the block, as dumps print it: `file:line`; for a generated block, the file */
  constructor(kind: LibraryKind, ns: string, dispatch_key: DispatchKey | null, where: Where) {
    this.kind_ = kind;
    this.ns_ = ns === "_" ? null : ns;
    this.dispatch_key_ = dispatch_key === DispatchKey.Undefined ? null : dispatch_key;
    this.where_ = where;
    this.registered_ =
      typeof where === "string" ? `registered at ${where}` : { toString: () => `registered at ${where}` };
    if (kind !== "IMPL") {
      TORCH_CHECK(
        this.ns_ !== null,
        kindNames[kind],
        ": cannot define ",
        kindNames[kind],
        " with the wildcard namespace _ (every ",
        kindNames[kind],
        " defines operators for a distinct namespace!) Did you mean to use TORCH_LIBRARY_IMPL instead?  ",
        this.errorContext(),
      );
      TORCH_INTERNAL_ASSERT(this.dispatch_key_ === null);
    }
    if (kind === "DEF") this.registrars_.push(Dispatcher.singleton().registerLibrary(ns, this.debugString()));
  }

  /** Declares an operator. @param tags names from tags.yaml */
  def(line: string | FunctionSchema, tags: readonly string[] = []): OperatorName {
    const parsed = typeof line === "string" ? schema(line) : line;
    return this._def(parsed, tags);
  }

  _def(parsed: FunctionSchema, tags: readonly string[]): OperatorName {
    if (this.kind_ === "IMPL")
      this.refuse(
        `def("${parsed.operator_name()}"): Cannot define an operator inside of a ${kindNames[this.kind_]} block.  `,
        "All def()s should be placed in the (unique) TORCH_LIBRARY block for their namespace.  ",
      );
    const ns = parsed.getNamespace();
    if (ns !== null && ns !== this.ns_)
      this.refuse(
        `Explicitly provided namespace (${ns}) in schema string does not match namespace of enclosing ${kindNames[this.kind_]} block (${this.ns_}).  `,
        "Move this definition to the (unique) TORCH_LIBRARY block corresponding to this namespace ",
        "(and consider deleting the namespace from your schema string.)  ",
      );
    const qualified = parsed.withNamespaceIfNotSet(this.ns_ as string);
    if (tracer !== null)
      traceInstant("init", "torch::Library::_def", {
        op: String(qualified.operator_name()),
        schema: String(qualified),
      });
    const name = qualified.operator_name();
    this.registrars_.push(Dispatcher.singleton().registerDef(name, qualified, this.debugString(), tags));
    return name;
  }

  /** `def` for a line that codegen has already checked: it is parsed only when somebody requests the schema. */
  def_checked(line: string, tags: readonly string[]): void {
    if (tracer !== null) {
      this.def(line, tags); // the event prints the schema
      return;
    }
    const name = parseName(line.slice(0, line.indexOf("("))).withNamespaceIfNotSet(this.ns_ as string);
    const read = (): FunctionSchema => schema(line).withNamespaceIfNotSet(this.ns_ as string);
    this.registrars_.push(Dispatcher.singleton().registerDef(name, read, this.debugString(), tags));
  }

  /**
   * Gives an operator a kernel. A plain function is an unboxed kernel and needs the name that dumps and traces print.
   * The schema may come later, from another block.
   */
  impl(name: string, func: CppFunction | UnboxedKernelFunction, kernel_name = ""): void {
    this._impl(name, func instanceof CppFunction ? func : CppFunction.makeFromUnboxedFunction(func, kernel_name));
  }

  _impl(name_str: string, f: CppFunction): void {
    const kind = kindNames[this.kind_];
    const parsed = parseName(name_str);
    const ns = parsed.getNamespace();
    if (ns !== null && ns !== this.ns_)
      this.refuse(
        `impl("${name_str}", ...): `,
        `Explicitly provided namespace (${ns}) in operator name does not match namespace of enclosing ${kind} block (${this.ns_}).  `,
        `Move this definition to the ${kind} block corresponding to this namespace (and consider deleting the namespace from your schema string.)  `,
      );
    if (f.dispatch_key_ !== null && this.dispatch_key_ !== null && f.dispatch_key_ !== this.dispatch_key_)
      this.refuse(
        `impl("${name_str}", ...): `,
        `Explicitly provided dispatch key (${keyToString(f.dispatch_key_)}) is inconsistent with the dispatch key of the enclosing ${kind} block `,
        `(${keyToString(this.dispatch_key_)}).  Please declare a separate ${kind} block for this dispatch key and move your impl() there.  `,
      );
    const key = f.dispatch_key_ ?? this.dispatch_key_;
    const name = parsed.withNamespaceIfNotSet(this.ns_ as string);
    if (tracer !== null) {
      traceInstant("init", "torch::Library::_impl", {
        op: String(name),
        key: key === null ? null : keyToString(key),
        kernel: f.func_.name(),
      });
    }
    this.registrars_.push(Dispatcher.singleton().registerImpl(name, key, f.func_, this.debugString(f.debug_)));
  }

  /** Registers a kernel for every operator that has none of its own for the block's key. */
  fallback(f: CppFunction): void {
    this._fallback(f);
  }

  private _fallback(f: CppFunction): void {
    TORCH_CHECK(
      this.kind_ === "IMPL",
      `fallback(...): Cannot define an operator inside of a ${kindNames[this.kind_]} block.  `,
      "Did you mean to call this function inside a TORCH_LIBRARY_IMPL block?  ",
      this.errorContext(),
    );
    const key = f.dispatch_key_ ?? this.dispatch_key_;
    TORCH_INTERNAL_ASSERT(key !== null, this.errorContext());
    TORCH_CHECK(
      this.ns_ === null,
      "fallback(...): Fallback functions which apply to only a single namespace ",
      `(you specified ${this.ns_}) are not supported.  If you intended to apply `,
      "this fallback function globally, please define a separate block:\n\n",
      `    TORCH_LIBRARY_IMPL(_, ${keyToString(key)}, m) { m.fallback(...); }\n\n`,
      this.errorContext(),
    );
    for (const k of getRuntimeDispatchKeySet(key)) {
      if (getDispatchTableIndexForDispatchKey(k) < 0) continue;
      if (tracer !== null)
        traceInstant("init", "torch::Library::_fallback", { key: keyToString(k), kernel: f.func_.name() });
      this.registrars_.push(Dispatcher.singleton().registerFallback(k, f.func_, this.debugString(f.debug_)));
    }
  }

  /** Undoes every registration of this library, the last one first. */
  reset(): void {
    while (this.registrars_.length > 0) (this.registrars_.pop() as RegistrationHandleRAII).destroy();
  }

  private debugString(debug = ""): DebugInfo {
    return debug === "" ? this.registered_ : debug;
  }

  private refuse(...words: string[]): never {
    TORCH_CHECK(false, ...words, this.errorContext());
  }

  private errorContext(): string {
    return `(Error occurred while processing ${kindNames[this.kind_]} block at ${this.where_})`;
  }
}

export type LibraryInit = (m: Library) => void;

/** A block divided by operator: the entry `exp` registers `exp`, `exp.out` and every other overload of it. */
export type OperatorInits<M = Library> = Readonly<Record<string, (m: M) => void>>;

/** A divided block that does the same for many operators. */
export function for_each_operator<M = Library>(
  names: Iterable<string>,
  init: (m: M, name: string) => void,
): OperatorInits<M> {
  const inits: Record<string, (m: M) => void> = {};
  for (const name of names) {
    const operator = name.split(".", 1)[0];
    const overloads = inits[operator] as ((m: M) => void) | undefined;
    inits[operator] = (m) => {
      overloads?.(m);
      init(m, name);
    };
  }
  return inits;
}

/** A divided block in which all operators of the lists fall through. */
export function fallthroughs(...lists: (readonly string[])[]): OperatorInits {
  return for_each_operator(lists.flat(), (m, name) => m.impl(name, CppFunction.makeFallthrough()));
}

// Note [Registered when asked for]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Blocks are written operator by operator. They could run at once, as the blocks of user libraries do, but a program
// calls only some dozens of two thousand operators. So the dispatcher stores such a block and runs its entry for an
// operator when that operator is first requested: block by block in their order, and with the fallbacks that existed
// then. The result is the same as running at once; a query about all operators runs all entries. A recording of the
// import must show registrations where PyTorch makes them, so there they run at once. A recording of a call must show
// none of them: they belong to the import.
export class DeferredBlock<M> implements RegistrationsInWaiting {
  private readonly ns: string;
  private readonly inits: OperatorInits<M>;
  private readonly m: M;

  constructor(ns: string, inits: OperatorInits<M>, m: M) {
    this.ns = ns;
    this.inits = inits;
    this.m = m;
  }

  names(): string[] {
    return Object.keys(this.inits).map((name) => `${this.ns}::${name}`);
  }

  register(qualified: string): void {
    const name = qualified.slice(this.ns.length + 2);
    if (Object.hasOwn(this.inits, name) && qualified.startsWith(`${this.ns}::`)) this.inits[name](this.m);
  }
}

/** Claims namespace `ns` and runs the block that declares its operators. */
export function TORCH_LIBRARY(
  ns: string,
  init: LibraryInit | OperatorInits,
  where: Where = new CallSite(TORCH_LIBRARY),
): Library {
  return runBlock(new Library("DEF", ns, null, where), `TORCH_LIBRARY(${ns})`, init, where, TORCH_LIBRARY);
}

/** Adds declarations to a namespace, whether or not a TORCH_LIBRARY has claimed it. */
export function TORCH_LIBRARY_FRAGMENT(
  ns: string,
  init: LibraryInit,
  where: Where = new CallSite(TORCH_LIBRARY_FRAGMENT),
): Library {
  const library = new Library("FRAGMENT", ns, null, where);
  return runBlock(library, `TORCH_LIBRARY_FRAGMENT(${ns})`, init, where, TORCH_LIBRARY_FRAGMENT);
}

/** Registers kernels for `key`, which may be an alias key; `ns` is `_` for a block with a fallback. */
export function TORCH_LIBRARY_IMPL(
  ns: string,
  key: keyof typeof DispatchKey,
  init: LibraryInit | OperatorInits,
  where: Where = new CallSite(TORCH_LIBRARY_IMPL),
): Library {
  const library = new Library("IMPL", ns, DispatchKey[key], where);
  return runBlock(library, `TORCH_LIBRARY_IMPL(${ns}, ${key})`, init, where, TORCH_LIBRARY_IMPL);
}

type Callee = (...args: never[]) => unknown;

function runBlock(
  library: Library,
  name: string,
  init: LibraryInit | OperatorInits,
  where: Where,
  block: Callee,
): Library {
  if (tracer !== null)
    traceCall("init", name, typeof init === "function" ? init : all(init), [library], placeOf(where, block), nothing);
  else if (typeof init === "function") init(library);
  else Dispatcher.singleton().registerWhenAskedFor(new DeferredBlock(library.ns_ as string, init, library));
  return library;
}

/** A divided block as one function. */
export function all<M>(inits: OperatorInits<M>): (m: M) => void {
  return (m) => {
    for (const init of Object.values(inits)) init(m);
  };
}

/**
 * Source position of a block, for a trace. A generated block names only its file, because its line changes with every
 * operator; it is read off the stack.
 */
function placeOf(where: Where, block: Callee): Record<string, unknown> {
  const place = /^(src\/.*):(\d+)$/.exec(String(typeof where === "string" ? new CallSite(block) : where));
  return place === null ? {} : { source: { file: place[1], line: Number(place[2]) } };
}

/** The place that called `callee`: the stack is captured at once, and parsed when it is printed. */
export class CallSite {
  private readonly holder: { stack?: string } = {};
  private text: string | null = null;

  constructor(callee: Callee) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 1; // each further frame costs decoding one more source map
    Error.captureStackTrace?.(this.holder, callee);
    Error.stackTraceLimit = limit;
  }

  /** `src/aten/ConjugateFallback.ts:44`: relative to the repository if possible. */
  toString(): string {
    if (this.text !== null) return this.text;
    const frame = parse_frame((this.holder.stack ?? "").split("\n").at(-1) ?? "");
    return (this.text = frame === null ? "unknown" : `${below_root(frame.file) ?? frame.file}:${frame.line}`);
  }
}

/** The place that called `callee`, now. */
export function callerOf(callee: Callee): string {
  return String(new CallSite(callee));
}
