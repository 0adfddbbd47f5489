/**
 * @file Files and folders of the host, for `os`, `io` and `tempfile`, which are written in Python.
 * @mirrors Modules/posixmodule.c (CPython 3.11)
 */
import { PyBytes } from "../Objects/bytesobject.ts";
import { dict_of } from "../Objects/dictobject.ts";
import { float_value } from "../Objects/floatobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { host } from "./host.ts";

export function posix(): Map<string, unknown> {
  return functions("posix", {
    "read(path, /)": (path: string) => new PyBytes(host.files.read(path)),
    "write(path, data, /)": (path: string, { data }: PyBytes) => host.files.write(path, data),
    "stat(path, /)": (path: string) => {
      const stat = host.files.stat(path);
      return stat === null ? null : tuple([stat.is_dir, stat.size, float_value(stat.mtime)]);
    },
    "listdir(path, /)": (path: string) => [...host.files.list(path)],
    "mkdir(path, /)": (path: string) => host.files.mkdir(path),
    "remove(path, /)": (path: string) => host.files.remove(path),
    "rmdir(path, /)": (path: string) => host.files.rmdir(path),
    "rename(src, dst, /)": (from: string, to: string) => host.files.rename(from, to),
    "getcwd()": () => host.cwd(),
    "environ()": () => dict_of(Object.entries(host.environment()).filter((it) => it[1] !== undefined)),
  });
}
