/**
 * @file Methods of tensors that `__torch_function__` may override, declared by their signatures.
 * @original PyTorch writes the question at the beginning of each method.
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
// and can be written wrongly in each of its words. Here the beginning is made from the declaration: the function handed over is the
// method itself, as it stands on the class; what must be given goes by position, what has a default by name.

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Declares, as `def_methods` does, methods of a class of tensors that ask for overrides first. */
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
