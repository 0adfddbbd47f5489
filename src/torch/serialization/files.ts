/**
 * @file Targets of `save` and sources of `load`: a path, bytes, or an object with the methods of a Python file.
 * @mirrors torch/serialization.py#_open_file_like
 * @differs In a browser page ours has bytes instead of paths, and `save` without a target returns the bytes; PyTorch writes them to a
 * buffer.
 */
import { AttributeError, RuntimeError, ValueError } from "#c10/util/Exception";
import {
  node_fs,
  python_type,
  type ReadableFile,
  read_bytes,
  tell,
  type WritableFile,
  with_os_errors,
} from "#torch/_C";

export type { ReadableFile, WritableFile };

/** A path, also as a `file:` URL. */
export type Path = string | URL;

/** `_is_path` and `os.fspath`: the path, or null if `f` is not a path. A path of Python's `pathlib` says its own. */
export function as_path(f: unknown): string | null {
  if (typeof f === "string") return f;
  if (has_methods(f, "__fspath__")) return (f as { __fspath__(): string }).__fspath__();
  if (!(f instanceof URL)) return null;
  if (f.protocol !== "file:") throw new RuntimeError(`${f.href} is no file: read it, and give its bytes`);
  return path_of_url(f);
}

/** As Node's `fileURLToPath`: what stands for no file of this machine is refused. */
function path_of_url({ href, hostname, pathname }: URL): string {
  if (/%2f/i.test(pathname)) throw new ValueError(`${href} is no path: it must not contain an encoded slash`);
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    throw new ValueError(`${href} is no path: its percent-encoding is malformed`);
  }
  const windows = (globalThis as { process?: { platform?: string } }).process?.platform === "win32";
  if (hostname !== "" && windows) return `//${hostname}${path}`;
  if (hostname !== "") throw new ValueError(`${href} is no path: the host of a file must be empty or localhost`);
  return windows && /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** The bytes, if `f` is an array or buffer of bytes; otherwise null. */
export function as_bytes(f: unknown): Uint8Array | null {
  if (f instanceof ArrayBuffer || f instanceof SharedArrayBuffer_) return new Uint8Array(f as ArrayBuffer);
  return ArrayBuffer.isView(f) ? new Uint8Array(f.buffer as ArrayBuffer, f.byteOffset, f.byteLength) : null;
}

/** A browser page without cross-origin isolation has no SharedArrayBuffer. */
const SharedArrayBuffer_ = globalThis.SharedArrayBuffer ?? ArrayBuffer;

/** An opened file, which can be inspected from its beginning. */
export interface OpenedFile {
  /** The source in the form that the archive reader takes. */
  readonly source: string | Uint8Array | ReadableFile;
  /** The first `n` bytes, or fewer. */
  head(n: number): Uint8Array;
  /** All bytes from here on. */
  rest(): Uint8Array;
  /** Skips `n` bytes, to the next file. */
  skip(n: number): void;
}

function has_methods(f: unknown, ...names: string[]): boolean {
  return names.every((name) => typeof (f as Record<string, unknown> | null | undefined)?.[name] === "function");
}

function _check_seekable(f: unknown): void {
  for (const name of ["seek", "tell", "read"])
    if (!has_methods(f, name))
      throw new AttributeError(
        `'${python_type(f)}' object has no attribute '${name}'. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead.`,
      );
}

export function _open_file_like(f: unknown): OpenedFile {
  const path = as_path(f);
  if (path !== null) return open_file(path);
  const given = as_bytes(f);
  // A copy, because text cannot be decoded from memory that other threads may write to.
  const bytes = given !== null && !(given.buffer instanceof ArrayBuffer) ? given.slice() : given;
  if (bytes !== null)
    return { source: bytes, head: (n) => bytes.subarray(0, n), rest: () => bytes, skip: () => undefined };
  _check_seekable(f);
  const file = f as ReadableFile;
  const start = tell(file);
  const read = (n: number): Uint8Array => {
    const data = read_bytes(file, n);
    file.seek(start);
    return data;
  };
  const rest = (): Uint8Array => {
    file.seek(0, 2);
    const end = tell(file);
    file.seek(start);
    return read(end - start);
  };
  return { source: file, head: read, rest, skip: (n) => file.seek(start + n) };
}

function open_file(path: string): OpenedFile {
  const fs = node_fs();
  const head = (n: number): Uint8Array => {
    const fd = fs.openSync(path, "r");
    try {
      const bytes = new Uint8Array(n);
      return bytes.subarray(0, fs.readSync(fd, bytes, 0, n, 0));
    } finally {
      fs.closeSync(fd);
    }
  };
  return {
    source: path,
    head: (n) => with_os_errors(path, () => head(n)),
    rest: () => with_os_errors(path, () => new Uint8Array(fs.readFileSync(path))),
    skip: () => undefined,
  };
}

/** A target to which bytes are written one after the other. */
export interface Target {
  /** The target in the form that the archive writer takes. */
  readonly sink: string | WritableFile;
  /** Called after the last byte; returns the result of `save`. */
  done(): Uint8Array | null;
}

export function open_target(f: unknown): Target {
  const path = as_path(f);
  if (path !== null) return { sink: path, done: () => null };
  if (f === null) return collect((bytes) => bytes);
  const room = as_bytes(f);
  if (room !== null) return collect((bytes) => put_into(room, bytes));
  if (!has_methods(f, "write"))
    throw new AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute");
  const file = f as WritableFile;
  return {
    // A copy, because a stream may read the data later, when the tensor has changed.
    sink: { write: (data) => file.write(data.slice()) },
    done: () => {
      if (typeof file.flush === "function") file.flush();
      return null;
    },
  };
}

function collect(finish: (bytes: Uint8Array) => Uint8Array): Target {
  const parts: Uint8Array[] = [];
  const done = (): Uint8Array => {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return finish(bytes);
  };
  // Copies, because the view of a storage is valid only until the next allocation (Note [What the user has seen leaves the heap]).
  return { sink: { write: (data) => parts.push(data.slice()) }, done };
}

function put_into(room: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (bytes.length > room.length)
    throw new RuntimeError(`the file has ${bytes.length} bytes, and there is room for ${room.length}`);
  room.set(bytes);
  return room.subarray(0, bytes.length);
}
