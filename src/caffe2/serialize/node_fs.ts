/**
 * @file The file system, if there is one. It is looked up at run time, because a page loads the same sources.
 * @original C++ has the standard library for this.
 */
import { RuntimeError } from "#c10/util/Exception";

type FileSystem = typeof import("node:fs");

/** @throws {RuntimeError} in a page, which has bytes but no paths. */
export function node_fs(): FileSystem {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const fs = process?.getBuiltinModule?.("node:fs") as FileSystem | undefined;
  if (fs === undefined)
    throw new RuntimeError(
      "There is no file system here: give the bytes of the file (a Uint8Array) instead of its path.",
    );
  return fs;
}
