/**
 * @file `torch.jit.frontend` as a program sees it: the tree of a function, and the errors of what a script cannot hold.
 * @mirrors torch/jit/frontend.py
 */
import { TypeError_ } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Def } from "../_C.ts";
import { get_jit_def as def_of } from "./index.ts";

export { FrontendError, FrontendTypeError, NotSupportedError, UnsupportedNodeError } from "./errors.ts";

function needs_str(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string") throw new TypeError_(`${name} must be str, not ${python_type(value)}`);
}

/**
 * The tree of a function, under the name `def_name`.
 * @throws {OSError} if the text of the function is not known
 */
export const get_jit_def = def(
  "get_jit_def(fn, def_name, self_name=None)",
  (fn: unknown, def_name: unknown, self_name: unknown): Def => {
    needs_str("def_name", def_name);
    if (self_name !== null) needs_str("self_name", self_name);
    return def_of(fn, def_name, { self_name });
  },
);
