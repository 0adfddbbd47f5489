/**
 * @file Built-in functions that are about the machine itself: `exec`, `eval`, `compile`, `globals`, `locals`, `__import__`.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import type * as ast from "../ast/nodes.ts";
import { AST } from "../ast/nodes.ts";
import { require_fields } from "../ast/required_fields.ts";
import { calling_frame } from "../builtins/attributes.ts";
import { Code } from "../compiler/code.ts";
import { compile } from "../compiler/index.ts";
import { builtins, builtins_of } from "../Objects/builtins_of.ts";
import { vectorcall } from "../Objects/call.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { TypeError_, ValueError } from "../Objects/exceptions.ts";
import { functions } from "../Objects/methodobject.ts";
import { getattr } from "../Objects/object.ts";
import { warnings } from "../Objects/object_methods.ts";
import { super_type } from "../Objects/superobject.ts";
import { type_of } from "../Objects/typeobject.ts";
import { build_class } from "./build_class.ts";
import { run_frame } from "./ceval.ts";
import { make_frame, thread } from "./frame.ts";
import { import_, import_function, import_module } from "./import.ts";
import { forget_source } from "./traceback.ts";

/** The namespaces of `exec` and `eval`: the caller's if none are given. */
function namespaces(name: string, globals: unknown, locals: unknown): [globals: PyDict, locals: Map<unknown, unknown>] {
  const { frame } = thread;
  if (globals === null) {
    const here = frame?.globals ?? new PyDict();
    return [here, locals === null ? (frame?.f_locals ?? here) : (locals as Map<unknown, unknown>)];
  }
  if (!(globals instanceof PyDict))
    throw new TypeError_(`${name}() globals must be a dict, not ${type_of(globals).tp_name}`);
  if (!globals.has("__builtins__")) globals.set("__builtins__", frame?.builtins ?? builtins);
  return [globals, locals === null ? globals : (locals as Map<unknown, unknown>)];
}

/** The code of a text. A name in `<...>` is no file, so a traceback shows no lines of it. */
function compiled(source: string | ast.mod, filename: string, mode: "exec" | "eval" | "single"): Code {
  const code = compile(source, filename, mode);
  if (filename.startsWith("<")) forget_source(code);
  return code;
}

function run(name: string, source: unknown, mode: "exec" | "eval", globals: unknown, locals: unknown): unknown {
  const [own, variables] = namespaces(name, globals, locals);
  let code: Code;
  if (source instanceof Code) code = source;
  else if (typeof source === "string") code = compiled(source, "<string>", mode);
  else throw new TypeError_(`${name}() arg 1 must be a string, bytes or code object`);
  if (code.co_freevars.length > 0)
    throw new TypeError_(`code object passed to ${name}() may not contain free variables`);
  return run_frame(make_frame(code, own, builtins_of(own), variables));
}

const table = functions("builtins", {
  "exec(source, globals=None, locals=None, /)": (source, globals, locals) => {
    run("exec", source, "exec", globals, locals);
  },
  "eval(source, globals=None, locals=None, /)": (source: unknown, globals, locals) =>
    run("eval", typeof source === "string" ? source.replace(/^[ \t]+/, "") : source, "eval", globals, locals),
  "compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1)": (
    source: unknown,
    filename: string,
    mode: string,
  ) => {
    if (mode !== "exec" && mode !== "eval" && mode !== "single")
      throw new ValueError("compile() mode must be 'exec', 'eval' or 'single'");
    if (typeof source !== "string" && !(source instanceof AST))
      throw new TypeError_("compile() arg 1 must be a string, bytes or AST object");
    if (source instanceof AST) require_fields(source);
    return compiled(source as string | ast.mod, filename, mode);
  },
  // The module `io` is loaded by the first program that opens a file.
  "open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None)": (
    ...args: unknown[]
  ) => vectorcall(getattr(import_module("io"), "open"), args, null),
  "globals()": () => thread.frame?.globals ?? new PyDict(),
  "locals()": () => thread.frame?.f_locals ?? new PyDict(),
  "__import__(name, globals=None, locals=None, fromlist=None, level=0)": (
    name: string,
    globals: PyDict | null,
    _locals,
    from_list,
    level: number,
  ) => import_(globals ?? new PyDict(), name, from_list, level),
});
import_function.fn = table.get("__import__");
table.set("__build_class__", build_class);
table.set("super", super_type.cls);

calling_frame.locals = () => thread.frame?.f_locals ?? new PyDict();
warnings.warn = (category, message) => {
  vectorcall(getattr(import_module("warnings"), "warn"), [message, category], null);
};

/** Adds them to the module `builtins`. */
export function add_machine_functions(): void {
  for (const [name, value] of table) builtins.set(name, value);
}
