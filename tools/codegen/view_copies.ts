/**
 * @file View copies and their views: `select_copy.int` is the copy of `select.int`. Kernel and derivative of a copy are
 * derived from the view's.
 * @mirrors torchgen/model.py#NativeFunctionsViewGroup
 */
import type { NativeFunction } from "./model.ts";

export interface ViewCopy {
  readonly view: NativeFunction;
  readonly copy: NativeFunction;
}

/** All copies, in the order of `functions`. */
export function view_copies(functions: readonly NativeFunction[]): ViewCopy[] {
  const views = new Map(functions.filter((f) => f.is_view_op).map((f) => [String(f.func.name), f]));
  return functions.flatMap((copy) => {
    if (!copy.tags.has("view_copy") || copy.generated || copy.func.is_out_fn()) return [];
    const view = views.get(String(copy.func.name).replace(/_copy(?=\.|$)/, ""));
    return view === undefined ? [] : [{ view, copy }];
  });
}
