/**
 * @file The address of an object that a worker needs: a module, the name of an export, and arguments.
 * @original PyTorch pickles the object itself, or lets a process inherit it; a JavaScript thread cannot receive a class or a closure.
 */
import { RuntimeError } from "#c10/util/Exception";
import { isDict } from "#torch/_C";
import { builtin } from "#torch/_node_builtins";

/** An address, for example `{module: import.meta.resolve("./digits.ts"), export: "Digits", args: ["train"]}`. */
export interface ModuleAddress {
  /** A `file:` or other URL, or a path relative to the working directory. */
  readonly module: string | URL;
  /** The name of an export: a class, or a function that creates the dataset. */
  readonly export: string;
  /** The arguments of the class or function: numbers, strings, tensors, and lists and mappings of them. */
  readonly args?: readonly unknown[];
}

export function is_address(value: unknown): value is ModuleAddress {
  if (!isDict(value)) return false;
  const { module, export: name } = value as Partial<ModuleAddress>;
  return (typeof module === "string" || module instanceof URL) && typeof name === "string";
}

/** The module as a URL for `import()`, independent of the importing file. */
export function href_of({ module }: ModuleAddress): string {
  if (typeof module !== "string") return module.href;
  if (/^[a-z][a-z0-9+.-]+:/i.test(module)) return module; // a scheme has at least two letters: C: is a drive
  const url = builtin<typeof import("node:url")>("node:url");
  const path = builtin<typeof import("node:path")>("node:path");
  if (url === undefined || path === undefined) throw new RuntimeError(`not the address of a module: ${module}`);
  return url.pathToFileURL(path.resolve(module)).href;
}

/** The object at an address. */
export async function load(address: ModuleAddress, import_module: ImportModule): Promise<unknown> {
  const exports = await import_module(href_of(address));
  if (!Object.hasOwn(exports, address.export))
    throw new RuntimeError(`the module ${href_of(address)} exports no '${address.export}'`);
  return exports[address.export];
}

/** `import()`, given by the caller: the library's own file cannot contain it, because Node runs it as a script. */
export type ImportModule = (href: string) => Promise<Record<string, unknown>>;
