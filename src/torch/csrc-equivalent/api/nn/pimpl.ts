/**
 * @file Holders of modules. In C++ `Linear` is a shared pointer to a `LinearImpl` that can be called: `linear(x)`. Here references are
 * shared already, and a holder adds only the call: the module's object is a function.
 * @mirrors torch/csrc/api/include/torch/nn/pimpl.h
 * @differs A holder and its module are one object; a holder that holds nothing is null.
 */
import type { Module } from "./module.ts";

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a forward or a constructor may be any; a tuple is not assignable to never[]
type Any = any;

/** A module with some `forward`. */
export type Forward = Module & { forward(...args: never[]): unknown };
/** A class of modules that a holder can hold. */
export type ImplClass = (new (...args: Any[]) => Forward) & { type_name?: string | undefined };

/** A module that can be called: the call is `forward`. */
export type Held<M extends Forward> = M & ((...args: Parameters<M["forward"]>) => ReturnType<M["forward"]>);

/** The class of a holder, which is called with or without `new`. */
export interface ModuleHolder<C extends new (...args: Any[]) => Forward> {
  new (...args: ConstructorParameters<C>): Held<InstanceType<C>>;
  (...args: ConstructorParameters<C>): Held<InstanceType<C>>;
  /** The class of the modules: C++'s `LinearImpl`. */
  readonly Impl: C;
}

/** @internal A function that calls its own `forward`, with the methods of a prototype. */
export function callable(prototype: Module): Any {
  const self = (...args: unknown[]): unknown =>
    (self as unknown as { forward: (...args: unknown[]) => unknown }).forward(...args);
  // A function's own `name` and `length` would hide members of those names.
  delete (self as { name?: string }).name;
  delete (self as { length?: number }).length;
  return Object.setPrototypeOf(self, prototype);
}

/**
 * Makes the holder of a module class.
 * @param name the holder's name in `torch::nn`, for classes of the library
 */
export function TORCH_MODULE<C extends ImplClass>(Impl: C, name?: string): ModuleHolder<C> {
  if (name !== undefined) Impl.type_name = `torch::nn::${name}Impl`;
  const make = Impl as unknown as new (...args: unknown[]) => Module;
  function Holder(...args: unknown[]): Module {
    return new make(...args);
  }
  Holder.prototype = Impl.prototype;
  Holder.Impl = Impl;
  return Holder as unknown as ModuleHolder<C>;
}

/** The class of a container, which has no `forward` and cannot be called. */
export interface ContainerHolder<C extends new (...args: Any[]) => Module> {
  new (...args: ConstructorParameters<C>): InstanceType<C>;
  (...args: ConstructorParameters<C>): InstanceType<C>;
  readonly Impl: C;
}

/** `TORCH_MODULE` for a container. */
export function container<C extends new (...args: Any[]) => Module>(Impl: C, name: string): ContainerHolder<C> {
  return TORCH_MODULE(Impl as unknown as ImplClass, name) as unknown as ContainerHolder<C>;
}
