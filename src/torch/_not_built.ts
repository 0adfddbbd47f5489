/**
 * @file Functions of PyTorch that are not built: they have PyTorch's name and signature, and raise when they are called.
 * @original
 */
import { NotImplementedError } from "#c10/util/Exception";
import { dress, Signature } from "./_signature.ts";

/** The TypeScript type of a function that always raises. */
export interface NotBuilt {
  (...args: unknown[]): never;
  new (...args: unknown[]): never;
  readonly __signature__: Signature;
}

/** A function with Python's signature `text` that checks its arguments and raises. */
export function raising(text: string, error: () => Error): NotBuilt {
  const signature = new Signature(text);
  // Not an arrow function, because a class is called with `new`.
  const refuse = function (...args: unknown[]): never {
    signature.bind(args);
    throw error();
  };
  return dress(refuse, signature, signature.__qualname__) as NotBuilt;
}

/**
 * A function with Python's signature `text` that raises NotImplementedError.
 * @param name the full name in PyTorch
 * @param instead the reason or an alternative, for the error message
 */
export function not_built(name: string, text: string, instead: string): NotBuilt {
  return raising(text, () => new NotImplementedError(`${name} is not implemented: ${instead}`));
}
