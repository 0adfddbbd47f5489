/**
 * @file The function that is traced: its parameters, their defaults, and how it is called with proxies.
 * @original In Python `inspect.signature` and a changed code object serve this.
 * @differs A function of TypeScript has the parameters `arg0`, `arg1`, ... unless the library declared its signature; PyTorch knows the names of all.
 */
import { AssertionError, warn } from "#c10/util/Exception";
import { python_function_type } from "#python/bridge/foreign_functions";
import { CO } from "#python/compiler/code";
import { FUNCTION, vectorcall } from "#python/Objects/call";
import type { PyDict } from "#python/Objects/dictobject";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { evaluate } from "#python/vm/ceval";
import { Frame } from "#python/vm/frame";
import { prepared } from "#python/vm/prepared_code";
import { signature } from "#torch/_signature";
import { library_name } from "../qualified_names.ts";

/** A parameter; `default_value` is undefined if there is none. */
export interface RootParameter {
  /** With its stars. */
  readonly name: string;
  readonly default_value: unknown;
  readonly annotation: unknown;
}

export interface RootFunction {
  /** Without `self`. */
  readonly parameters: readonly RootParameter[];
  /** How many of them are no `*args` and no `**kwargs`. */
  readonly plain: number;
  readonly return_annotation: unknown;
  readonly globals: PyDict | null;
  readonly code: PyFunction[typeof FUNCTION]["code"] | null;
  /** Names of all local variables, `self` included. */
  readonly names: readonly string[];
  /** Calls it with a value for every parameter, `self` first if it is a method. */
  run(args: readonly unknown[]): unknown;
}

/** The function below its decorators. */
function unwrapped(fn: unknown): unknown {
  let inner = fn;
  for (let next = getattr_or_undefined(inner, "__wrapped__"); next !== undefined; ) {
    inner = next;
    next = getattr_or_undefined(inner, "__wrapped__");
  }
  return inner;
}

function python_function(fn: PyFunction, is_method: boolean): RootFunction {
  const inner = unwrapped(fn);
  const record = (is_function(inner) ? inner : fn)[FUNCTION];
  const { code, defaults, kwdefaults, annotations } = record;
  const { co_argcount, co_kwonlyargcount, co_flags, co_varnames } = code;
  const first_default = co_argcount - (defaults?.length ?? 0);
  const total = co_argcount + co_kwonlyargcount;
  const names = [...co_varnames.slice(0, total)];
  const has_args = (co_flags & CO.VARARGS) !== 0;
  if (has_args) names.push(`*${co_varnames[total]}`);
  if ((co_flags & CO.VARKEYWORDS) !== 0) names.push(`**${co_varnames[total + (has_args ? 1 : 0)]}`);
  const parameters = names.map(
    (name, i): RootParameter => ({
      name,
      default_value:
        i < co_argcount ? (i < first_default ? undefined : defaults?.[i - first_default]) : kwdefaults?.get(name),
      annotation: annotations?.get(name) ?? null,
    }),
  );
  const var_stuff = co_kwonlyargcount > 0 || names.length > total;
  return {
    parameters: is_method ? parameters.slice(1) : parameters,
    plain: total - (is_method ? 1 : 0),
    return_annotation: annotations?.get("return") ?? null,
    globals: fn[FUNCTION].globals,
    code,
    names: co_varnames,
    // Keyword-only parameters, `*args` and `**kwargs` get their values as if they were ordinary ones.
    run: (args) => (var_stuff ? run_with_locals(fn, args) : vectorcall(fn, [...args], null)),
  };
}

/** Runs a function whose first local variables have these values, however they are declared. */
function run_with_locals(fn: PyFunction, args: readonly unknown[]): unknown {
  const { code, globals, builtins } = fn[FUNCTION];
  const frame = new Frame(prepared(code), fn, globals, builtins, null);
  args.forEach((value, i) => {
    frame.fast[i] = value;
  });
  return evaluate(frame);
}

const warned = new WeakSet<object>();

type JavaScriptFunction = (this: unknown, ...args: unknown[]) => unknown;

function javascript_function(fn: JavaScriptFunction, is_method: boolean): RootFunction {
  const declared = signature(fn);
  if (declared === null && !warned.has(fn)) {
    warned.add(fn);
    warn(
      "UserWarning",
      `torch.fx.symbolic_trace(${fn.name}): a function of TypeScript is traced by what reaches its values. An \`if (tensor)\` of TypeScript cannot be seen.`,
    );
  }
  const parameters: RootParameter[] =
    declared === null
      ? Array.from({ length: fn.length }, (_, i) => ({ name: `arg${i}`, default_value: undefined, annotation: null }))
      : declared.parameters.map(({ name, kind }, i) => ({
          name: kind === "VAR_POSITIONAL" ? `*${name}` : kind === "VAR_KEYWORD" ? `**${name}` : name,
          default_value: declared.defaults[i],
          annotation: null,
        }));
  return {
    parameters,
    plain: parameters.length,
    return_annotation: null,
    globals: null,
    code: null,
    names: parameters.map(({ name }) => name),
    run: (args) => (is_method ? fn.apply(args[0], args.slice(1)) : fn(...args)),
  };
}

/** The function as a tracer sees it. @throws {AssertionError} "Expected FunctionType, got ..." if it is no function of a program */
export function root_function(fn: unknown, is_method: boolean): RootFunction {
  if (is_function(fn)) return python_function(fn, is_method);
  const is_written_in_python =
    typeof fn === "function" && type_of(fn) === python_function_type && signature(fn) !== null;
  if (
    is_written_in_python ||
    (typeof fn === "function" && (is_method || (library_name(fn) === undefined && is_javascript(fn))))
  )
    return javascript_function(fn as JavaScriptFunction, is_method);
  throw new AssertionError(`Expected FunctionType, got ${type_of(fn).toString()}`);
}

/** Whether a function is no object of Python's. */
const is_javascript = (fn: object): boolean =>
  Object.getPrototypeOf(fn) === Function.prototype &&
  !("__call__" in fn) &&
  type_of(fn) === python_function_type &&
  Object.getOwnPropertySymbols(fn).length === 0;
