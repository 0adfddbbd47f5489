/**
 * @file Errors of the operating system, as Python raises them.
 * @original Python has `OSError` and its subclasses built in, and `open` raises them. Node throws one class, whose text is its own.
 */
import { C10Error, ValueError } from "#c10/util/Exception";

export class OSError extends C10Error {
  readonly errno: number;
  /** The system's text for `errno`. */
  readonly strerror: string;
  readonly filename: string;

  constructor(errno: number, strerror: string, filename: string) {
    super(`[Errno ${errno}] ${strerror}: '${filename}'`);
    this.name = new.target.name;
    this.errno = errno;
    this.strerror = strerror;
    this.filename = filename;
  }
}

export class BlockingIOError extends OSError {}
export class BrokenPipeError extends OSError {}
export class FileExistsError extends OSError {}
export class FileNotFoundError extends OSError {}
export class InterruptedError extends OSError {}
export class IsADirectoryError extends OSError {}
export class NotADirectoryError extends OSError {}
export class PermissionError extends OSError {}
export class TimeoutError extends OSError {}

type Known = readonly [errno: number, strerror: string, type?: typeof OSError];

/** Linux's numbers and texts. */
// biome-ignore format: table
const ERRNO: Readonly<Record<string, Known>> = {
  EPERM: [1, "Operation not permitted", PermissionError],
  ENOENT: [2, "No such file or directory", FileNotFoundError],
  EINTR: [4, "Interrupted system call", InterruptedError],
  EIO: [5, "Input/output error"],
  ENXIO: [6, "No such device or address"],
  EBADF: [9, "Bad file descriptor"],
  EAGAIN: [11, "Resource temporarily unavailable", BlockingIOError],
  ENOMEM: [12, "Cannot allocate memory"],
  EACCES: [13, "Permission denied", PermissionError],
  EBUSY: [16, "Device or resource busy"],
  EEXIST: [17, "File exists", FileExistsError],
  EXDEV: [18, "Invalid cross-device link"],
  ENODEV: [19, "No such device"],
  ENOTDIR: [20, "Not a directory", NotADirectoryError],
  EISDIR: [21, "Is a directory", IsADirectoryError],
  EINVAL: [22, "Invalid argument"],
  ENFILE: [23, "Too many open files in system"],
  EMFILE: [24, "Too many open files"],
  ETXTBSY: [26, "Text file busy"],
  EFBIG: [27, "File too large"],
  ENOSPC: [28, "No space left on device"],
  ESPIPE: [29, "Illegal seek"],
  EROFS: [30, "Read-only file system"],
  EMLINK: [31, "Too many links"],
  EPIPE: [32, "Broken pipe", BrokenPipeError],
  ENAMETOOLONG: [36, "File name too long"],
  ENOTEMPTY: [39, "Directory not empty"],
  ELOOP: [40, "Too many levels of symbolic links"],
  EOVERFLOW: [75, "Value too large for defined data type"],
  ENOTSUP: [95, "Operation not supported"],
  ETIMEDOUT: [110, "Connection timed out", TimeoutError],
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
  const [errno, strerror, type = OSError] = ERRNO[error.code] ?? [Math.abs(error.errno as number), text_of(error)];
  return new type(errno, strerror, path);
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
