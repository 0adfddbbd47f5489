/**
 * @file Readers of archives meet bytes that no writer wrote. What they check themselves has a message of its own; the rest ends here.
 * @original PyTorch's readers run into assertions or end the process.
 */
import { RuntimeError } from "#c10/util/Exception";

/** Errors of the JavaScript engine: a value of another kind, a text that nests too deeply. */
const of_engine: ReadonlySet<unknown> = new Set([TypeError, RangeError, ReferenceError, SyntaxError]);

/** Reads; an error of the engine becomes one that says that the archive is damaged. */
export function refuse_damaged<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!of_engine.has((error as object | null)?.constructor)) throw error;
    throw new RuntimeError("the archive is damaged: its records do not make a module");
  }
}
