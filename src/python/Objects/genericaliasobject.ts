/**
 * @file `types.GenericAlias`: what `list[int]` gives.
 * @mirrors Objects/genericaliasobject.c (CPython 3.11)
 */
import { vectorcall } from "./call.ts";
import { define_attributes } from "./descrobject.ts";
import { AttributeError, TypeError_ } from "./exceptions.ts";
import { hash_of } from "./hashing.ts";
import { define_class_methods, define_methods, define_static_methods } from "./methodobject.ts";
import { equal, find_attribute, generic_getattr, NotImplemented, repr, setattr } from "./object.ts";
import { Ellipsis } from "./sliceobject.ts";
import { PyTuple, tuple } from "./tupleobject.ts";
import { builtin_type, full_name, info_of, type PyClass, type TypeObject, type_of } from "./typeobject.ts";

export class GenericAlias {
  readonly origin: unknown;
  readonly args: PyTuple;

  constructor(origin: unknown, args: PyTuple) {
    this.origin = origin;
    this.args = args;
  }
}

/** `origin[item]`: several arguments are written as a tuple. */
export function generic_alias(origin: unknown, item: unknown): GenericAlias {
  return new GenericAlias(origin, item instanceof PyTuple ? item : tuple([item]));
}

/** An argument of an alias: a class as it is written in a program. */
export function repr_of_argument(value: unknown): string {
  if (value === Ellipsis) return "...";
  const type = info_of(value);
  if (type !== undefined) return full_name(type);
  return repr(value);
}

/** Attributes of the alias itself; all others are those of the class. */
const OWN = new Set([
  "__class__",
  "__origin__",
  "__args__",
  "__parameters__",
  "__mro_entries__",
  "__reduce_ex__",
  "__reduce__",
  "__copy__",
  "__deepcopy__",
  "__unpacked__",
  "__typing_unpacked_tuple_args__",
]);

function alias_getattr(alias: GenericAlias, name: string): unknown {
  return OWN.has(name) ? generic_getattr(alias, name) : find_attribute(alias.origin, name);
}

export const genericalias_type: TypeObject = builtin_type("GenericAlias", {
  cls: GenericAlias,
  module: "types",
  tp_getattro: alias_getattr,
  tp_call: (alias: GenericAlias, args, kwnames) => {
    const made = vectorcall(alias.origin, args, kwnames);
    try {
      setattr(made, "__orig_class__", alias);
    } catch (error) {
      if (!(error instanceof AttributeError || error instanceof TypeError_)) throw error;
    }
    return made;
  },
});

/** Type variables among the arguments, each once; they say so themselves. */
function parameters(args: PyTuple): PyTuple {
  const found: unknown[] = [];
  const add = (value: unknown): void => {
    if (!found.includes(value)) found.push(value);
  };
  for (const argument of args) {
    if (type_of(argument).lookup("__typing_subst__") !== undefined) add(argument);
    else if (info_of(argument) === undefined) {
      const inner =
        argument instanceof GenericAlias ? parameters(argument.args) : find_attribute(argument, "__parameters__");
      if (inner instanceof PyTuple) inner.forEach(add);
    }
  }
  return tuple(found);
}

/** `list[T][int]`: the arguments take the places of the type variables. */
function substitute(alias: GenericAlias, item: unknown): GenericAlias {
  const variables = parameters(alias.args);
  if (variables.length === 0) throw new TypeError_(`${repr(alias)} is not a generic class`);
  const items = item instanceof PyTuple ? item : tuple([item]);
  if (items.length !== variables.length) {
    const how = items.length > variables.length ? "many" : "few";
    throw new TypeError_(
      `Too ${how} arguments for ${repr(alias)}; actual ${items.length}, expected ${variables.length}`,
    );
  }
  const args = alias.args.map((argument) => {
    const at = variables.indexOf(argument);
    if (at >= 0) return items[at];
    if (!(argument instanceof GenericAlias)) return argument;
    const inner = parameters(argument.args);
    return inner.length === 0
      ? argument
      : substitute(argument, tuple(inner.map((variable) => items[variables.indexOf(variable)])));
  });
  return new GenericAlias(alias.origin, tuple(args));
}

define_static_methods(genericalias_type, {
  "__new__(cls, origin, args, /)": (_cls: PyClass, origin: unknown, args: unknown) => generic_alias(origin, args),
});
define_attributes(genericalias_type, {
  __origin__: (self: GenericAlias) => self.origin,
  __args__: (self: GenericAlias) => self.args,
  __parameters__: (self: GenericAlias) => parameters(self.args),
  __unpacked__: () => false,
});
define_methods(genericalias_type, {
  "__repr__(self, /)": (self: GenericAlias) =>
    `${repr_of_argument(self.origin)}[${self.args.length === 0 ? "()" : self.args.map(repr_of_argument).join(", ")}]`,
  "__hash__(self, /)": (self: GenericAlias) => hash_of(tuple([self.origin, self.args])),
  "__eq__(self, value, /)": (self: GenericAlias, other: unknown) =>
    other instanceof GenericAlias ? equal(self.origin, other.origin) && equal(self.args, other.args) : NotImplemented,
  "__getitem__(self, key, /)": substitute,
  "__mro_entries__(self, bases, /)": (self: GenericAlias) => tuple([self.origin]),
  "__instancecheck__(self, instance, /)": () => {
    throw new TypeError_("isinstance() argument 2 cannot be a parameterized generic");
  },
  "__subclasscheck__(self, cls, /)": () => {
    throw new TypeError_("issubclass() argument 2 cannot be a parameterized generic");
  },
});

/** Lets a class be written with brackets, `list[int]`. */
export function allow_brackets(type: TypeObject): void {
  define_class_methods(type, {
    "__class_getitem__(cls, item, /)": (cls: PyClass, item: unknown) => generic_alias(cls, item),
  });
}
