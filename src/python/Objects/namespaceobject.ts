/**
 * @file `types.SimpleNamespace`: an object whose attributes are all it has.
 * @mirrors Objects/namespaceobject.c (CPython 3.11)
 */
import { PyDict } from "./dictobject.ts";
import { define_methods } from "./methodobject.ts";
import { equal, NotImplemented, repr, repr_once, setattr, with_dict } from "./object.ts";
import { builtin_type, type_of } from "./typeobject.ts";

export class SimpleNamespace {}

export const namespace_type = builtin_type("SimpleNamespace", {
  cls: SimpleNamespace,
  module: "types",
  tp_alloc: (cls) => Reflect.construct(SimpleNamespace, [], cls) as object,
});
with_dict.add(namespace_type);

/** Attributes by name; the keys of names that JavaScript uses itself begin with a mark. */
function attributes(self: SimpleNamespace): PyDict {
  const result = new PyDict();
  for (const [key, value] of Object.entries(self)) result.set(key.replace(/^\0/, ""), value);
  return result;
}

namespace_type.set("__hash__", null);
define_methods(namespace_type, {
  "__init__(self, /, **kwargs)": (self: SimpleNamespace, keywords: ReadonlyMap<string, unknown>) => {
    for (const [name, value] of keywords) setattr(self, name, value);
  },
  "__repr__(self, /)": (self: SimpleNamespace) => {
    const name = type_of(self) === namespace_type ? "namespace" : type_of(self).name;
    return repr_once(self, `${name}(...)`, () => {
      const fields = [...attributes(self)].map(([key, value]) => `${String(key)}=${repr(value)}`);
      return `${name}(${fields.join(", ")})`;
    });
  },
  "__eq__(self, value, /)": (self: SimpleNamespace, other: unknown) =>
    other instanceof SimpleNamespace ? equal(attributes(self), attributes(other)) : NotImplemented,
});
