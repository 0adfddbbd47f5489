/**
 * @file Finding WebGPU: a page provides it, in Node it is a package.
 * @original
 */
import { RuntimeError } from "#c10/util/Exception";
import { node_builtin } from "./worker.ts";

const PACKAGE = "webgpu";

/** Where to look for the package, beside the program's own folder. */
let module_path: string | null = null;

/**
 * Sets the place of Node's package with the device, as a path or an address, if it is not where it is normally found.
 * Null: the normal search.
 */
export function set_webgpu_module(path: string | null): void {
  module_path = path;
}

/**
 * The module that a worker of Node imports to get the device; null if `navigator.gpu` is the device.
 * @throws {RuntimeError} if there is neither
 */
export function find_module(): string | null {
  const module = node_builtin<typeof import("node:module")>("node:module");
  const url = node_builtin<typeof import("node:url")>("node:url");
  if (module === undefined || url === undefined) return null;
  const path = module_path ?? process.env["WEBGPU_MODULE"];
  if (path !== undefined) return path.startsWith("file:") ? path : url.pathToFileURL(path).href;
  try {
    return url.pathToFileURL(module.createRequire(`${process.cwd()}/`).resolve(PACKAGE)).href;
  } catch {
    throw new RuntimeError(
      `No WebGPU here: Node has none of its own. Install the package \`${PACKAGE}\` (npm install ${PACKAGE}) beside your program.`,
    );
  }
}
