/**
 * @file Functions and methods of the program, which are followed, too: their instructions become part of the caller's graph.
 * @mirrors torch/_dynamo/variables/functions.py
 */
import { AttributeError, TypeError_ } from "#c10/util/Exception";
import type { Code } from "#python/compiler/code";
import { CO } from "#python/compiler/code";
import { FUNCTION } from "#python/Objects/call";
import { PyDict } from "#python/Objects/dictobject";
import { type Cell, function_type, method_type, type PyFunction } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined, repr } from "#python/Objects/object";
import { type TypeObject, type_of } from "#python/Objects/typeobject";
import { as_python_exception } from "#python/vm/errors";
import type { PyCodegen } from "../codegen.ts";
import { graph_break } from "../decorators.ts";
import { unimplemented } from "../graph_break.ts";
import { inline_call } from "../inline.ts";
import { ObservedException } from "../observed.ts";
import { AttrSource, ClosureSource, DefaultsSource, type Source } from "../source.ts";
import { disabled, refusal_of } from "../trace_rules.ts";
import { type Kwargs, ObjectVariable, type Translator, VariableTracker } from "./base.ts";
import { build } from "./build.ts";
import { ConstantVariable } from "./constant.ts";
import { ConstDictVariable } from "./dicts.ts";
import { TupleVariable } from "./lists.ts";

/** A variable that functions share. */
export class CellVariable extends VariableTracker {
  /** The content; null while it is unbound. */
  content: VariableTracker | null;
  /** The cell of a function that exists; null: the translator's own. */
  readonly cell: Cell | null;
  /** The name of the variable of the outermost frame that lives in this cell; null for a cell of a followed call. */
  readonly local_name: string | null;

  constructor(
    content: VariableTracker | null,
    cell: Cell | null = null,
    source: Source | null = null,
    local_name: string | null = null,
  ) {
    super(source, cell === null ? "new" : "existing");
    this.content = content;
    this.cell = cell;
    this.local_name = local_name;
  }
  override children(): Iterable<VariableTracker> {
    return this.content === null ? [] : [this.content];
  }
}

/** The parts of a function that a call needs. */
export interface Callee {
  readonly code: Code;
  readonly globals: PyDict;
  readonly name: string;
  readonly qualname: string;
  readonly defaults: readonly VariableTracker[];
  readonly kwdefaults: ReadonlyMap<string, VariableTracker>;
  readonly closure: readonly CellVariable[];
}

/** Binds arguments to the parameters of a function. @throws {ObservedException} with Python's TypeError if they do not fit */
export function bind_args(
  callee: Callee,
  args: readonly VariableTracker[],
  kwargs: Kwargs,
): Map<string, VariableTracker> {
  const { code, qualname, defaults, kwdefaults } = callee;
  const refuse = (what: string): never => {
    throw new ObservedException(as_python_exception(new TypeError_(`${qualname}() ${what}`)));
  };
  const { co_argcount: argcount, co_kwonlyargcount, co_varnames, co_flags } = code;
  const positional = co_varnames.slice(0, argcount);
  const keyword_only = co_varnames.slice(argcount, argcount + co_kwonlyargcount);
  const bound = new Map<string, VariableTracker>();
  for (const [i, name] of positional.entries()) if (i < args.length) bound.set(name, args[i] as VariableTracker);
  let next = argcount + co_kwonlyargcount;
  if ((co_flags & CO.VARARGS) !== 0) bound.set(co_varnames[next++] as string, new TupleVariable(args.slice(argcount)));
  else if (args.length > argcount)
    refuse(`takes ${argcount} positional argument${argcount === 1 ? "" : "s"} but ${args.length} were given`);
  const rest = (co_flags & CO.VARKEYWORDS) !== 0 ? new PyDict() : null;
  for (const [name, value] of kwargs) {
    const at = positional.indexOf(name);
    if ((at >= code.co_posonlyargcount && at >= 0) || keyword_only.includes(name)) {
      if (bound.has(name)) refuse(`got multiple values for argument '${name}'`);
      bound.set(name, value);
    } else if (rest !== null) rest.set(name, value);
    else refuse(`got an unexpected keyword argument '${name}'`);
  }
  const first_default = argcount - defaults.length;
  for (const [i, name] of positional.entries())
    if (!bound.has(name)) {
      const value = defaults[i - first_default];
      if (value === undefined) refuse(`missing 1 required positional argument: '${name}'`);
      bound.set(name, value as VariableTracker);
    }
  for (const name of keyword_only)
    if (!bound.has(name)) {
      const value = kwdefaults.get(name);
      if (value === undefined) refuse(`missing 1 required keyword-only argument: '${name}'`);
      bound.set(name, value as VariableTracker);
    }
  if (rest !== null) bound.set(co_varnames[next] as string, new ConstDictVariable(rest));
  return bound;
}

/** A function that existed before the frame began. */
export class UserFunctionVariable extends VariableTracker {
  readonly fn: PyFunction;

  constructor(fn: PyFunction, source: Source | null = null) {
    super(source);
    this.fn = fn;
  }
  override toString(): string {
    return `UserFunctionVariable(${this.fn[FUNCTION].name})`;
  }
  override python_type(): TypeObject {
    return function_type;
  }
  override truth(): boolean {
    return true;
  }
  override is_python_constant(): boolean {
    return false;
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.fn);
  }
  callee(tx: Translator): Callee {
    const record = this.fn[FUNCTION];
    const { source } = this;
    return {
      code: record.code,
      globals: record.globals,
      name: record.name,
      qualname: record.qualname,
      defaults: [...(record.defaults ?? [])].map((value, i) =>
        build(tx, value, source === null ? null : new DefaultsSource(source, i)),
      ),
      kwdefaults: new Map(
        [...(record.kwdefaults ?? [])].map(([name, value]) => [
          name as string,
          build(tx, value, source === null ? null : new DefaultsSource(source, name as string)),
        ]),
      ),
      closure: (record.closure ?? []).map((cell, i) =>
        tx.output.side_effects.cell(tx, cell, source === null ? null : new ClosureSource(source, i)),
      ),
    };
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    if (tx.is_allowed_in_graph(this.fn)) return tx.call_in_graph(this.fn, args, kwargs);
    return inline_call(tx, this.callee(tx), args, kwargs);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    const found = getattr_or_undefined(this.fn, name);
    if (found === undefined)
      throw new ObservedException(
        as_python_exception(new AttributeError(`'function' object has no attribute '${name}'`)),
      );
    if (type_of(found).name === "method-wrapper") return super.var_getattr(tx, name);
    return build(tx, found, this.source === null ? null : new AttrSource(this.source, name));
  }
}

/** `instance.method`. */
export class UserMethodVariable extends VariableTracker {
  readonly func: VariableTracker;
  readonly self: VariableTracker;

  constructor(func: VariableTracker, self: VariableTracker, source: Source | null = null) {
    super(source);
    this.func = func;
    this.self = self;
  }
  override python_type(): TypeObject {
    return method_type;
  }
  override truth(): boolean {
    return true;
  }
  override children(): Iterable<VariableTracker> {
    return [this.self];
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return this.func.call_function(tx, [this.self, ...args], kwargs);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    if (name === "__self__") return this.self;
    if (name === "__func__") return this.func;
    return this.func.var_getattr(tx, name);
  }
}

/** A function that the followed code makes: `lambda`, an inner `def`. */
export class NestedUserFunctionVariable extends VariableTracker {
  readonly code: Code;
  readonly globals: PyDict;
  readonly defaults: readonly VariableTracker[];
  readonly kwdefaults: ReadonlyMap<string, VariableTracker>;
  readonly closure: readonly CellVariable[];
  private readonly annotations: VariableTracker | null;

  constructor(fields: {
    code: Code;
    globals: PyDict;
    defaults: readonly VariableTracker[];
    kwdefaults: ReadonlyMap<string, VariableTracker>;
    annotations: VariableTracker | null;
    closure: readonly CellVariable[];
  }) {
    super(null, "new");
    this.code = fields.code;
    this.globals = fields.globals;
    this.defaults = fields.defaults;
    this.kwdefaults = fields.kwdefaults;
    this.annotations = fields.annotations;
    this.closure = fields.closure;
  }
  override python_type(): TypeObject {
    return function_type;
  }
  override truth(): boolean {
    return true;
  }
  override children(): Iterable<VariableTracker> {
    return [...this.closure, ...this.defaults, ...this.kwdefaults.values()];
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    if (name === "__name__") return new ConstantVariable(this.code.co_name);
    return super.var_getattr(tx, name);
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const { code, globals, defaults, kwdefaults, closure } = this;
    const callee: Callee = {
      code,
      globals,
      name: code.co_name,
      qualname: code.co_qualname,
      defaults,
      kwdefaults,
      closure,
    };
    return inline_call(tx, callee, args, kwargs);
  }
  override reconstruct(codegen: PyCodegen): void {
    let flags = 0;
    if (this.defaults.length > 0) {
      flags |= 1;
      for (const it of this.defaults) codegen.reconstruct(it);
      codegen.append("BUILD_TUPLE", this.defaults.length);
    }
    if (this.kwdefaults.size > 0) {
      flags |= 2;
      for (const [name, it] of this.kwdefaults) {
        codegen.load_const(name);
        codegen.reconstruct(it);
      }
      codegen.append("BUILD_MAP", this.kwdefaults.size);
    }
    if (this.annotations !== null) {
      flags |= 4;
      codegen.reconstruct(this.annotations);
    }
    if (this.closure.length > 0) {
      flags |= 8;
      for (const cell of this.closure) codegen.load_cell(cell);
      codegen.append("BUILD_TUPLE", this.closure.length);
    }
    codegen.load_const(this.code);
    codegen.append("MAKE_FUNCTION", flags);
  }
}

/** A function that cannot be followed or put into the graph. */
export class SkipFunctionVariable extends ObjectVariable {
  override readonly value: unknown;
  readonly reason: string | null;

  constructor(value: unknown, source: Source | null = null, reason: string | null = null) {
    super(source);
    this.value = value;
    this.reason = reason;
  }
  override toString(): string {
    return `SkipFunctionVariable(${repr(this.value)})`;
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return new ConstantVariable(this.value).var_getattr(tx, name);
  }
  override call_function(_tx: Translator, _args: readonly VariableTracker[], _kwargs: Kwargs): VariableTracker {
    const own = refusal_of(this.value);
    if (own !== null) unimplemented(own);
    return unimplemented({
      gb_type: "Attempted to call function marked as skipped",
      context: `module: unknown, qualname: ${repr(this.value)}, skip reason: ${this.reason ?? "<missing reason>"}`,
      explanation: `Dynamo does not know how to trace the builtin \`${repr(this.value)}.\` This function is either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension (perhaps created with pybind).`,
      hints: [
        "If it is a Python builtin, please file an issue on GitHub so the PyTorch team can add support for it and see the next case for a workaround.",
        "If it is a third-party C/C++ Python extension, please either wrap it into a PyTorch-understood custom operator (see https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html for more details) or, if it is traceable, use `torch.compiler.allow_in_graph`.",
      ],
    });
  }
}

/** A function that the user wants to run as it is. */
export class DisabledFunctionVariable extends SkipFunctionVariable {
  override call_function(): VariableTracker {
    const text = repr(getattr(this.value, "_torchdynamo_orig_callable"));
    return unimplemented({
      gb_type: "Skip calling `torch.compiler.disable()`d function",
      context: text,
      explanation: `Skip calling function \`${text}\` since it was wrapped with \`torch.compiler.disable\` (reason: ${disabled.get(this.value as object) ?? "None"})`,
      hints: ["Remove the `torch.compiler.disable` call"],
    });
  }
}

/** `torch._dynamo.graph_break`. */
export class GraphBreakVariable extends VariableTracker {
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(graph_break);
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const given = [...args, ...kwargs.values()].map((it) => repr(tx.constant_of(it)));
    return unimplemented({
      gb_type: "Call to `torch._dynamo.graph_break()`",
      context: `Called \`torch._dynamo.graph_break()\` with args \`[${args.map(String).join(", ")}]\`, kwargs \`{${[...kwargs].map(([name, it]) => `'${name}': ${String(it)}`).join(", ")}}\``,
      explanation: `User-inserted graph break. Message: ${given[0] ?? "None"}`,
      hints: ["Remove the `torch._dynamo.graph_break()` call."],
    });
  }
}

/** `functools.partial(fn, ...)` that the followed code makes or gets. */
export class FunctoolsPartialVariable extends VariableTracker {
  readonly func: VariableTracker;
  readonly args: readonly VariableTracker[];
  readonly keywords: Kwargs;

  constructor(func: VariableTracker, args: readonly VariableTracker[], keywords: Kwargs, source: Source | null = null) {
    super(source);
    this.func = func;
    this.args = args;
    this.keywords = keywords;
  }
  override children(): Iterable<VariableTracker> {
    return [this.func, ...this.args, ...this.keywords.values()];
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return this.func.call_function(tx, [...this.args, ...args], new Map([...this.keywords, ...kwargs]));
  }
}
