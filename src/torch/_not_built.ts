/**
 * @file Functions of PyTorch that wait: their name and signature stand here, and a call says that they are not built.
 * @original
 */
import { NotImplementedError } from "#c10/util/Exception";
import { dress, Signature } from "./_signature.ts";

/** What a function that refuses is to TypeScript. */
export interface NotBuilt {
  (...args: unknown[]): never;
  new (...args: unknown[]): never;
  readonly __signature__: Signature;
}

/** A function that takes the arguments of Python's signature `text`, and raises. */
export function raising(text: string, error: () => Error): NotBuilt {
  const signature = new Signature(text);
  // No arrow: of a class it is called with `new`.
  const refuse = function (...args: unknown[]): never {
    signature.bind(args);
    throw error();
  };
  return dress(refuse, signature, signature.__qualname__) as NotBuilt;
}

/**
 * The same for what waits.
 * @param name where PyTorch has it
 * @param instead what can be done here
 */
export function not_built(name: string, text: string, instead: string): NotBuilt {
  return raising(text, () => new NotImplementedError(`${name} is not implemented: ${instead}`));
}
