/**
 * @file Deep copies of modules: everything that a module owns is copied, functions (such as hooks) are shared.
 * @original Python's `copy.deepcopy` can copy any object by itself.
 */
import { deepcopy, type Memo } from "#torch/_deepcopy";
import { adopt } from "./attributes.ts";
import type { Module } from "./index.ts";
import { STATE } from "./state.ts";

/** @param make creates an empty module of the same class, without running its constructor */
export function deepcopy_module<M extends Module>(module: M, memo: Memo, make: () => M): M {
  const known = memo.get(module);
  if (known !== undefined) return known as M;
  adopt(module);
  const copy = make();
  memo.set(module, copy);
  const [from, to] = [module[STATE], copy[STATE]];
  for (const name of Object.keys(from) as (keyof typeof from)[]) {
    const value: unknown = from[name];
    if (name === "accessors" || name === "adopting") continue;
    Object.assign(to, { [name]: deepcopy(value, memo) });
  }
  for (const name of Object.keys(module)) {
    if (from.accessors.has(name)) continue;
    const { value } = Object.getOwnPropertyDescriptor(module, name) as PropertyDescriptor;
    Object.defineProperty(copy, name, {
      value: deepcopy(value, memo),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  adopt(copy);
  return copy;
}
