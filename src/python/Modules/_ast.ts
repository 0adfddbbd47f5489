/**
 * @file The syntax tree for Python programs: a class for each kind of node, and the parser. `ast` itself is Lib/ast.py.
 * @mirrors Python/Python-ast.c (CPython 3.11)
 *
 * CPython copies its tree of C structs into objects, and back before it compiles them. Here the parser's nodes are the objects: a program may
 * change them, and the compiler reads them as they are.
 */
import { dump, is_optional } from "../ast/dump.ts";
import * as nodes from "../ast/nodes.ts";
import { unparse } from "../ast/unparse.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { TypeError_ } from "../Objects/exceptions.ts";
import { define_methods, functions } from "../Objects/methodobject.ts";
import { setattr } from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { builtin_type, object_type, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { parse } from "../Parser/index.ts";

type NodeClass = typeof nodes.AST;

const types = new Map<NodeClass, TypeObject>();

/** The class above in CPython, where places are attributes of each kind of node and no class of their own. */
function base_of(cls: NodeClass): TypeObject {
  const above = Object.getPrototypeOf(cls) as NodeClass;
  if (cls === nodes.AST) return object_type;
  return type_of_class((above as unknown) === nodes.Located ? nodes.AST : above);
}

function type_of_class(cls: NodeClass): TypeObject {
  const known = types.get(cls);
  if (known !== undefined) return known;
  const name = cls.__name__ ?? cls.name;
  const type = builtin_type(name, {
    cls: cls as never,
    bases: [base_of(cls)],
    module: "ast",
    heap: true,
    tp_alloc: (made) => Object.create(made.prototype) as object,
  });
  types.set(cls, type);
  const fields = tuple([...cls._fields]);
  type.dict.set("_fields", fields);
  type.dict.set("__match_args__", fields);
  if (Object.hasOwn(cls, "_attributes") || base_of(cls) === types.get(nodes.AST))
    type.dict.set("_attributes", tuple([...cls._attributes]));
  for (const field of cls._fields) if (is_optional(name, field)) type.dict.set(field, null);
  if (cls._attributes.length > 0) for (const name of ["end_lineno", "end_col_offset"]) type.dict.set(name, null);
  return type;
}

/** Whether a value of the module is the class of a kind of node. */
function is_node_class(value: unknown): value is NodeClass {
  return typeof value === "function" && (value === nodes.AST || value.prototype instanceof nodes.AST);
}

/** `ast.Name("x", ctx=ast.Load(), lineno=1)`: fields in order, then fields and attributes by name. */
function init(self: nodes.AST, args: readonly unknown[], kwargs: ReadonlyMap<string, unknown>): void {
  const type = type_of(self);
  const fields = [...(type.lookup("_fields") as Iterable<string>)];
  if (args.length > fields.length)
    throw new TypeError_(
      `${type.name} constructor takes at most ${fields.length} positional argument${fields.length === 1 ? "" : "s"}`,
    );
  for (const [i, value] of args.entries()) setattr(self, fields[i] as string, value);
  for (const [name, value] of kwargs) {
    if (fields.indexOf(name) >= 0 && fields.indexOf(name) < args.length)
      throw new TypeError_(`${type.name} got multiple values for argument '${name}'`);
    setattr(self, name, value);
  }
}

/** Makes the module. */
export function _ast(): Map<string, unknown> {
  const classes = Object.values(nodes).filter((value) => is_node_class(value) && (value as unknown) !== nodes.Located);
  const module = new Map<string, unknown>();
  for (const cls of classes as unknown as NodeClass[]) module.set(cls.__name__ ?? cls.name, type_of_class(cls).cls);
  define_methods(type_of_class(nodes.AST), {
    "__init__(self, /, *args, **kwargs)": init,
    "__reduce__(self, /)": (self: nodes.AST) => tuple([type_of(self).cls, tuple([]), new PyDict(Object.entries(self))]),
  });
  for (const [name, fn] of functions("_ast", {
    "parse(source, filename, mode, /)": (source: string, filename: string, mode: "exec" | "eval") =>
      parse(source, filename, mode),
    "dump(node, annotate_fields, include_attributes, indent, /)": (
      node: nodes.AST,
      annotate_fields: boolean,
      include_attributes: boolean,
      indent: number | string | null,
    ) => dump(node, { annotate_fields, include_attributes, indent }),
    "unparse(node, /)": (node: nodes.AST) => unparse(node),
  }))
    module.set(name, fn);
  return module;
}
