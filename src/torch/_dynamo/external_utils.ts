/**
 * @file A frame of Python around a call: the hook sees it where the function itself has no frame, such as a module of the library.
 * @mirrors torch/_dynamo/external_utils.py#wrap_inline
 */
import { compile } from "#python/compiler/index";
import { builtins_of } from "#python/Objects/builtins_of";
import { call } from "#python/Objects/call";
import { PyDict } from "#python/Objects/dictobject";
import type { PyFunction } from "#python/Objects/funcobject";
import { run_frame } from "#python/vm/ceval";
import { make_frame } from "#python/vm/frame";
import { sources } from "#python/vm/traceback";

const TEXT = `def wrap_inline(fn):
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)

    return inner
`;
const FILE = "torch/_dynamo/external_utils.py";
let made: unknown = null;

/** A Python function that calls `fn`. */
export function wrap_inline(fn: unknown): PyFunction {
  if (made === null) {
    const names = new PyDict();
    names.set("__name__", "torch._dynamo.external_utils");
    sources.set(FILE, TEXT);
    run_frame(make_frame(compile(TEXT, FILE, "exec"), names, builtins_of(names), names));
    made = names.get("wrap_inline");
  }
  return call(made, fn) as PyFunction;
}
