/**
 * @file An exception of the program that the translator met while it followed the program.
 * @mirrors torch/_dynamo/exc.py#ObservedException
 */
import type { BaseException } from "#python/Objects/exceptions";

/** Goes up through the translators as the exception would go up through the frames. */
export class ObservedException extends Error {
  readonly exception: BaseException;

  constructor(exception: BaseException) {
    super(exception.message);
    this.name = "ObservedException";
    this.exception = exception;
  }
}
