/**
 * @file Errors of the operating system, as Python raises them.
 * @original Python's `open` raises `OSError` and its subclasses. Node throws one class, whose text is its own.
 */
import { type OSError, type_of_errno, ValueError } from "#python/Objects/library_exceptions";

type Known = readonly [errno: number, strerror: string];

/** Linux's numbers and texts. */
// biome-ignore format: table
const ERRNO: Readonly<Record<string, Known>> = {
  EPERM: [1, "Operation not permitted"],
  ENOENT: [2, "No such file or directory"],
  EINTR: [4, "Interrupted system call"],
  EIO: [5, "Input/output error"],
  ENXIO: [6, "No such device or address"],
  EBADF: [9, "Bad file descriptor"],
  EAGAIN: [11, "Resource temporarily unavailable"],
  ENOMEM: [12, "Cannot allocate memory"],
  EACCES: [13, "Permission denied"],
  EBUSY: [16, "Device or resource busy"],
  EEXIST: [17, "File exists"],
  EXDEV: [18, "Invalid cross-device link"],
  ENODEV: [19, "No such device"],
  ENOTDIR: [20, "Not a directory"],
  EISDIR: [21, "Is a directory"],
  EINVAL: [22, "Invalid argument"],
  ENFILE: [23, "Too many open files in system"],
  EMFILE: [24, "Too many open files"],
  ETXTBSY: [26, "Text file busy"],
  EFBIG: [27, "File too large"],
  ENOSPC: [28, "No space left on device"],
  ESPIPE: [29, "Illegal seek"],
  EROFS: [30, "Read-only file system"],
  EMLINK: [31, "Too many links"],
  EPIPE: [32, "Broken pipe"],
  ENAMETOOLONG: [36, "File name too long"],
  ENOTEMPTY: [39, "Directory not empty"],
  ELOOP: [40, "Too many levels of symbolic links"],
  EOVERFLOW: [75, "Value too large for defined data type"],
  ENOTSUP: [95, "Operation not supported"],
  ETIMEDOUT: [110, "Connection timed out"],
  ESTALE: [116, "Stale file handle"],
  EDQUOT: [122, "Disk quota exceeded"],
};

/** Node's error of a system call. */
export interface SystemError extends Error {
  readonly code: string;
  readonly errno?: number;
}

export function is_system_error(error: unknown): error is SystemError {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return error instanceof Error && typeof code === "string" && (code in ERRNO || typeof errno === "number");
}

/** Python's error for one of Node. A code that the table lacks keeps its own number, and the text that Node gives. */
export function as_OSError(error: SystemError, path: string): OSError {
  const [errno, strerror] = ERRNO[error.code] ?? [Math.abs(error.errno as number), text_of(error)];
  return new (type_of_errno(errno))(errno, strerror, path);
}

/** `EXYZ: the text, open 'path'` without the code and the call. */
function text_of({ message }: Error): string {
  const text = message.replace(/^\w+: /, "").replace(/, \w+( .*)?$/s, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Runs what works on the file at `path`; an error of the system comes out as Python's. */
export function with_os_errors<R>(path: string, run: () => R): R {
  check_path(path);
  try {
    return run();
  } catch (error) {
    throw is_system_error(error) ? as_OSError(error, path) : error;
  }
}

/** Paths that Python refuses before it asks the system. */
export function check_path(path: string): void {
  if (path.includes("\0")) throw new ValueError("embedded null byte");
}
