/**
 * @file Our library from any source tree: this one, or a checkout of another commit (`--tree`).
 * @original
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// biome-ignore lint/suspicious/noExplicitAny: another tree has other types
export type Any = any;

export interface Library {
  readonly torch: Any;
  readonly setWarningHandler: (handler: (warning: { type: string; msg: string }) => void) => unknown;
  /** Python's tuple of these values; a list is an array. */
  readonly tuple: (values: readonly Any[]) => Any;
}

export async function load(tree: string): Promise<Library> {
  const load = (path: string): Promise<Any> => import(pathToFileURL(join(tree, path)).href);
  const { default: torch } = await load("src/index.ts");
  const { setWarningHandler } = await load("src/c10/util/Exception.ts");
  const { tuple } = await load("src/python/Objects/tupleobject.ts");
  torch.set_warn_always(true);
  return { torch, setWarningHandler, tuple };
}

/** Modules whose classes and functions are called by qualified names: `optim.SGD`. */
export function places(torch: Any): Record<string, Any> {
  const { optim, nn } = torch;
  return { optim, lr_scheduler: optim.lr_scheduler, swa_utils: optim.swa_utils, init: nn.init, utils: nn.utils };
}

/** The names of everything that a program may call here. */
export function inventory({ torch }: Library): Record<string, string[]> {
  const names = new Set<string>();
  for (let p = torch.Tensor.prototype; p !== Object.prototype; p = Object.getPrototypeOf(p)) {
    for (const name of Object.getOwnPropertyNames(p)) names.add(name);
  }
  return {
    operators: torch._C._dispatch_get_all_op_names(),
    torch: Object.keys(torch),
    F: Object.keys(torch.nn.functional),
    Tensor: [...names],
    nn: Object.keys(torch.nn),
    ...Object.fromEntries(Object.entries(places(torch)).map(([place, module]) => [place, Object.keys(module)])),
  };
}
