/**
 * @file Tensor methods that `__torch_function__` may override, declared by their signatures.
 * @original PyTorch writes this check at the beginning of each method.
 */
import { def_methods, Signature } from "./_signature.ts";
import { handle_torch_function, has_torch_function_unary } from "./overrides.ts";

// Note [Overridable methods]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// In PyTorch each method that is written in Python begins with
//
//     if has_torch_function_unary(self):
//         return handle_torch_function(Tensor.split, (self,), self, split_size, dim=dim)
//
// and every copy can contain a mistake. Here this beginning is generated from the declaration. The function passed to the handler is the
// method itself, as it is defined on the class; required arguments are passed by position, arguments with a default by name.

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Declares methods of a tensor class, as `def_methods` does, and lets each ask for overrides first. */
export function def_overridable_methods(
  cls: Function & { readonly prototype: object },
  methods: Readonly<Record<string, string>>,
): void {
  const prototype = cls.prototype as Record<string, Method>;
  for (const [name, parameters] of Object.entries(methods)) {
    const value = ask_for_overrides(prototype, name, new Signature(name + parameters, cls));
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
  def_methods(cls, methods);
}

function ask_for_overrides(prototype: Record<string, Method>, name: string, signature: Signature): Method {
  const method = prototype[name];
  const { parameters, required } = signature;
  return function (...bound) {
    if (!has_torch_function_unary(this)) return method.apply(this, bound);
    const kwargs: Record<string, unknown> = {};
    for (let i = required; i < parameters.length; i++) kwargs[parameters[i].name] = bound[i];
    return handle_torch_function(prototype[name], [this], this, ...bound.slice(0, required), kwargs);
  };
}
