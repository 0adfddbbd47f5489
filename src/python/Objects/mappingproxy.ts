/**
 * @file `types.MappingProxyType`: a mapping that cannot be changed through it.
 * @mirrors Objects/descrobject.c#PyDictProxy_Type (CPython 3.11)
 */

import { OPERATIONS } from "./abstract/number_slots.ts";
import { binary_op } from "./abstract/numbers.ts";
import { contains, getitem, length } from "./abstract/sequences.ts";
import { call_special } from "./call.ts";
import { TypeError_ } from "./exceptions.ts";
import { allow_brackets } from "./genericaliasobject.ts";
import { hash_of } from "./hashing.ts";
import { iter } from "./iterobject.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { type Comparison, call_method, repr, richcompare, str } from "./object.ts";
import { builtin_type, type PyClass, type_of } from "./typeobject.ts";

export class MappingProxy {
  readonly mapping: unknown;

  constructor(mapping: unknown) {
    this.mapping = mapping;
  }
}

const open = (value: unknown): unknown => (value instanceof MappingProxy ? value.mapping : value);
const compared =
  (how: Comparison) =>
  (self: MappingProxy, other: unknown): unknown =>
    richcompare(self.mapping, open(other), how);
const OR = OPERATIONS.indexOf("or");

export const mappingproxy_type = builtin_type("mappingproxy", { cls: MappingProxy });
allow_brackets(mappingproxy_type);
define_static_methods(mappingproxy_type, {
  "__new__(cls, mapping)": (_cls: PyClass, mapping: unknown) => {
    const type = type_of(mapping);
    if (Array.isArray(mapping) || type.lookup("__getitem__") === undefined || type.lookup("keys") === undefined) {
      throw new TypeError_(`mappingproxy() argument must be a mapping, not ${type.tp_name}`);
    }
    return new MappingProxy(mapping);
  },
});
define_methods(mappingproxy_type, {
  "__repr__(self, /)": (self: MappingProxy) => `mappingproxy(${repr(self.mapping)})`,
  "__str__(self, /)": (self: MappingProxy) => str(self.mapping),
  "__len__(self, /)": (self: MappingProxy) => length(self.mapping),
  "__iter__(self, /)": (self: MappingProxy) => iter(self.mapping),
  "__reversed__(self, /)": (self: MappingProxy) => call_special(self.mapping, "__reversed__"),
  "__contains__(self, key, /)": (self: MappingProxy, key) => contains(self.mapping, key),
  "__getitem__(self, key, /)": (self: MappingProxy, key) => getitem(self.mapping, key),
  "__hash__(self, /)": (self: MappingProxy) => hash_of(self.mapping),
  "__eq__(self, value, /)": compared("=="),
  "__ne__(self, value, /)": compared("!="),
  "__or__(self, value, /)": (self: unknown, other: unknown) => binary_op(open(self), open(other), OR),
  "__ror__(self, value, /)": (self: unknown, other: unknown) => binary_op(open(other), open(self), OR),
  "get(self, key, default=None, /)": (self: MappingProxy, key: unknown, fallback: unknown) =>
    call_method(self.mapping, "get", key, fallback),
  "keys(self, /)": (self: MappingProxy) => call_method(self.mapping, "keys"),
  "values(self, /)": (self: MappingProxy) => call_method(self.mapping, "values"),
  "items(self, /)": (self: MappingProxy) => call_method(self.mapping, "items"),
  "copy(self, /)": (self: MappingProxy) => call_method(self.mapping, "copy"),
});
