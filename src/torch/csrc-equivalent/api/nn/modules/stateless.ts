/**
 * @file Modules without parameters: options, and a `forward` that is a function of `torch::nn::functional` with them.
 * @original C++ writes each of these classes out.
 */
import { as_options, type Made, type OptionsArgs, type OptionsClass } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";

/** A module with options of a class, called with `A`. */
export type StatelessImpl<O, A extends unknown[], R> = Cloneable & { readonly options: O; forward(...args: A): R };
/** The holder of such a module. */
export type Stateless<C, A extends unknown[], R> = ModuleHolder<
  new (
    ...args: OptionsArgs<C>
  ) => StatelessImpl<Made<C>, A, R>
>;

/**
 * Makes a module of a function.
 * @param forward the function: inputs first, then options
 * @param text the module's text
 * @param check refuses options that are wrong
 */
export function stateless<C extends OptionsClass, A extends unknown[], R>(
  name: string,
  options_class: C,
  forward: (...args: [...inputs: A, options: Made<C>]) => R,
  text: (options: Made<C>) => string,
  check: (options: Made<C>) => void = () => {},
): Stateless<C, A, R> {
  class Impl extends Cloneable {
    readonly options: Made<C>;

    constructor(...args: OptionsArgs<C>) {
      super();
      this.options = as_options(options_class, args);
      this.reset();
    }
    override reset(): void {
      check(this.options);
    }
    forward(...args: A): R {
      return forward(...args, this.options);
    }
    override pretty_print(): string {
      return text(this.options);
    }
  }
  return TORCH_MODULE(Impl as never, name) as unknown as Stateless<C, A, R>;
}

/** A module without options. */
export type PlainImpl<A extends unknown[], R> = Cloneable & { forward(...args: A): R };
/** The holder of such a module. */
export type Plain<A extends unknown[], R> = ModuleHolder<new () => PlainImpl<A, R>>;

/** Makes a module of a function without options. */
export function plain<A extends unknown[], R>(name: string, forward: (...args: A) => R): Plain<A, R> {
  class Impl extends Cloneable {
    override reset(): void {
      // It has no parameters.
    }
    forward(...args: A): R {
      return forward(...args);
    }
    override pretty_print(): string {
      return `torch::nn::${name}()`;
    }
  }
  return TORCH_MODULE(Impl, name) as unknown as Plain<A, R>;
}
