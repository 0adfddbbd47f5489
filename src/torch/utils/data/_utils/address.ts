/**
 * @file The address of what a worker is to have: a module, the name of an export, arguments.
 * @original PyTorch pickles the object itself, or lets a process inherit it; a thread of JavaScript can have neither a class nor a closure.
 */
import { RuntimeError } from "#c10/util/Exception";
import { isDict } from "#torch/_C";
import { builtin } from "#torch/_node_builtins";

/** `{module: import.meta.resolve("./digits.ts"), export: "Digits", args: ["train"]}` */
export interface ModuleAddress {
  /** A `file:` or other URL, or a path, which is read from the working directory. */
  readonly module: string | URL;
  /** Its name among the module's exports: a class or a function that makes the dataset. */
  readonly export: string;
  /** What the class or function is given: numbers, strings, tensors, and lists and mappings of them. */
  readonly args?: readonly unknown[];
}

export function is_address(value: unknown): value is ModuleAddress {
  if (!isDict(value)) return false;
  const { module, export: name } = value as Partial<ModuleAddress>;
  return (typeof module === "string" || module instanceof URL) && typeof name === "string";
}

/** What `import()` takes, from wherever it is called. */
export function href_of({ module }: ModuleAddress): string {
  if (typeof module !== "string") return module.href;
  if (/^[a-z][a-z0-9+.-]+:/i.test(module)) return module; // of two letters at least: C: is a drive
  const url = builtin<typeof import("node:url")>("node:url");
  const path = builtin<typeof import("node:path")>("node:path");
  if (url === undefined || path === undefined) throw new RuntimeError(`not the address of a module: ${module}`);
  return url.pathToFileURL(path.resolve(module)).href;
}

/** What stands at an address. */
export async function load(address: ModuleAddress, import_module: ImportModule): Promise<unknown> {
  const exports = await import_module(href_of(address));
  if (!Object.hasOwn(exports, address.export))
    throw new RuntimeError(`the module ${href_of(address)} exports no '${address.export}'`);
  return exports[address.export];
}

/** `import()`, which the library's own file may not have: Node runs it as a script. */
export type ImportModule = (href: string) => Promise<Record<string, unknown>>;
