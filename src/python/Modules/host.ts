/**
 * @file The surroundings of a program: streams, files, the environment. In Node these are the process' own; elsewhere texts go to the
 * console and files live in memory. A host may replace each function.
 * @original
 */
import { OSError } from "../Objects/exceptions.ts";

export interface Stat {
  readonly is_dir: boolean;
  readonly size: number;
  /** Seconds since 1970. */
  readonly mtime: number;
}

/** The files of a host. A function throws what `os_error` makes. */
export interface FileSystem {
  read(path: string): Uint8Array;
  write(path: string, data: Uint8Array): void;
  stat(path: string): Stat | null;
  list(path: string): string[];
  mkdir(path: string): void;
  remove(path: string): void;
  rmdir(path: string): void;
  rename(from: string, to: string): void;
}

const ERRORS = {
  ENOENT: [2, "No such file or directory"],
  EACCES: [13, "Permission denied"],
  EEXIST: [17, "File exists"],
  ENOTDIR: [20, "Not a directory"],
  EISDIR: [21, "Is a directory"],
  EROFS: [30, "Read-only file system"],
  ENOTEMPTY: [39, "Directory not empty"],
} as const;

/** The error of a system call, FileNotFoundError and its like. */
export function os_error(code: string, path: string): OSError {
  const [errno, text] = ERRORS[code as keyof typeof ERRORS] ?? [5, "Input/output error"];
  return new OSError(errno, text, path);
}

/** Files in memory: paths with their bytes; null is a folder. */
export function memory_files(): FileSystem {
  const files = new Map<string, { data: Uint8Array | null; mtime: number }>([
    ["/", { data: null, mtime: 0 }],
    ["/tmp", { data: null, mtime: 0 }],
  ]);
  const full = (path: string): string => {
    const parts: string[] = [];
    for (const part of path.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return `/${parts.join("/")}`;
  };
  const parent = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
  const put = (path: string, data: Uint8Array | null): void => {
    const at = full(path);
    if (!files.has(parent(at))) throw os_error("ENOENT", path);
    files.set(at, { data, mtime: Date.now() / 1000 });
  };
  const found = (path: string): { data: Uint8Array | null; mtime: number } => {
    const file = files.get(full(path));
    if (file === undefined) throw os_error("ENOENT", path);
    return file;
  };
  const names = (path: string): string[] => {
    const at = full(path);
    return [...files.keys()]
      .filter((name) => name !== "/" && parent(name) === at)
      .map((name) => name.slice(name.lastIndexOf("/") + 1));
  };
  return {
    read: (path) => {
      const { data } = found(path);
      if (data === null) throw os_error("EISDIR", path);
      return data;
    },
    write: (path, data) => {
      if (files.get(full(path))?.data === null) throw os_error("EISDIR", path);
      put(path, data);
    },
    stat: (path) => {
      const file = files.get(full(path));
      return file === undefined
        ? null
        : { is_dir: file.data === null, size: file.data?.length ?? 0, mtime: file.mtime };
    },
    list: (path) => {
      if (found(path).data !== null) throw os_error("ENOTDIR", path);
      return names(path);
    },
    mkdir: (path) => {
      if (files.has(full(path))) throw os_error("EEXIST", path);
      put(path, null);
    },
    remove: (path) => {
      if (found(path).data === null) throw os_error("EISDIR", path);
      files.delete(full(path));
    },
    rmdir: (path) => {
      if (found(path).data !== null) throw os_error("ENOTDIR", path);
      if (names(path).length > 0) throw os_error("ENOTEMPTY", path);
      files.delete(full(path));
    },
    rename: (from, to) => {
      const begin = full(from);
      found(from);
      for (const [path, file] of [...files]) {
        if (path !== begin && !path.startsWith(`${begin}/`)) continue;
        files.delete(path);
        files.set(full(to) + path.slice(begin.length), file);
      }
    },
  };
}

interface Process {
  getBuiltinModule?(name: string): unknown;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr?: { write(text: string): unknown };
  cwd?(): string;
  memoryUsage?(): { readonly heapUsed: number };
  cpuUsage?(): { readonly user: number; readonly system: number };
}
/** Chromium tells the size of the heap, other browsers do not. */
const heap_of_browser = performance as { readonly memory?: { readonly usedJSHeapSize: number } };
const process_ = (globalThis as { process?: Process }).process;
const fs = process_?.getBuiltinModule?.("node:fs") as typeof import("node:fs") | undefined;

function node_files(node: typeof import("node:fs")): FileSystem {
  const asked = <T>(path: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw os_error((error as { code?: string }).code ?? "", path);
    }
  };
  return {
    read: (path) => asked(path, () => new Uint8Array(node.readFileSync(path))),
    write: (path, data) => asked(path, () => node.writeFileSync(path, data)),
    stat: (path) => {
      const stat = node.statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? null : { is_dir: stat.isDirectory(), size: stat.size, mtime: stat.mtimeMs / 1000 };
    },
    list: (path) => asked(path, () => node.readdirSync(path)),
    mkdir: (path) => asked(path, () => node.mkdirSync(path)),
    remove: (path) => asked(path, () => node.unlinkSync(path)),
    rmdir: (path) => asked(path, () => node.rmdirSync(path)),
    rename: (from, to) => asked(from, () => node.renameSync(from, to)),
  };
}

export const host = {
  files: fs === undefined ? memory_files() : node_files(fs),
  stderr: (text: string): void => {
    if (process_?.stderr === undefined) console.error(text.replace(/\n$/, ""));
    else process_.stderr.write(text);
  },
  argv: [""] as string[],
  cwd: (): string => process_?.cwd?.() ?? "/",
  environment: (): Record<string, string | undefined> => ({ ...process_?.env }),
  /** Microseconds of processor time that the process has used; in a page, where nobody tells, the time since it was loaded. */
  cpu_time: (): number => {
    const usage = process_?.cpuUsage?.();
    return usage === undefined ? performance.now() * 1000 : usage.user + usage.system;
  },
  /** Bytes of the heap that are in use, with garbage that is not yet collected; null where the host does not say. */
  memory: (): number | null => process_?.memoryUsage?.().heapUsed ?? heap_of_browser.memory?.usedJSHeapSize ?? null,
};
