/**
 * @file An error of a worker, in a form that can be sent to the waiting thread.
 * @mirrors torch/_utils.py#ExceptionWrapper
 */
import { Exception, LIBRARY_EXCEPTIONS } from "#c10/util/Exception";

/** The message that describes an error. */
export interface WrappedException {
  readonly where: string;
  /** The name of its class in Python. */
  readonly exc_type: string;
  /** The error with its stack. */
  readonly exc_msg: string;
}

const CLASSES: Readonly<Record<string, new (message: string) => Error>> = LIBRARY_EXCEPTIONS;

export function wrap_exception(error: unknown, where: string): WrappedException {
  if (!(error instanceof Error)) return { where, exc_type: "Error", exc_msg: String(error) };
  return { where, exc_type: error.name, exc_msg: error.stack ?? `${error.name}: ${error.message}` };
}

/** Raises the error in this thread: with its class, if it is known here, and with the worker's stack in the message. */
export function reraise({ where, exc_type, exc_msg }: WrappedException): never {
  const message = `Caught ${exc_type} ${where}.\nOriginal ${exc_msg}`;
  const known = Object.hasOwn(CLASSES, exc_type) ? CLASSES[exc_type] : undefined;
  throw known === undefined ? Object.assign(new Exception(message), { name: exc_type }) : new known(message);
}
