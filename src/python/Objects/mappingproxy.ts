/**
 * @file `types.MappingProxyType`: a view of a mapping that cannot be changed.
 * @mirrors Objects/descrobject.c#PyDictProxy_New (CPython 3.11)
 */
import { contains, getitem, length } from "./abstract/sequences.ts";
import { TypeError_ } from "./exceptions.ts";
import { iter } from "./iterobject.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { call_method, repr, richcompare, str } from "./object.ts";
import { builtin_type, type PyClass, type_of } from "./typeobject.ts";

class MappingProxy {
  readonly mapping: unknown;

  constructor(mapping: unknown) {
    this.mapping = mapping;
  }
}

export const mappingproxy_type = builtin_type("mappingproxy", { cls: MappingProxy });

define_static_methods(mappingproxy_type, {
  "__new__(cls, mapping)": (cls: PyClass, mapping: unknown) => {
    if (type_of(mapping).lookup("__getitem__") === undefined || Array.isArray(mapping))
      throw new TypeError_(`mappingproxy() argument must be a mapping, not ${type_of(mapping).name}`);
    return Reflect.construct(MappingProxy, [mapping], cls);
  },
});
const forwarded = (name: string) => (self: MappingProxy, ...args: unknown[]) => call_method(self.mapping, name, ...args);
define_methods(mappingproxy_type, {
  "__getitem__(self, key, /)": (self: MappingProxy, key) => getitem(self.mapping, key),
  "__contains__(self, key, /)": (self: MappingProxy, key) => contains(self.mapping, key),
  "__len__(self, /)": (self: MappingProxy) => length(self.mapping),
  "__iter__(self, /)": (self: MappingProxy) => iter(self.mapping),
  "__reversed__(self, /)": forwarded("__reversed__"),
  "keys(self, /)": forwarded("keys"),
  "values(self, /)": forwarded("values"),
  "items(self, /)": forwarded("items"),
  "copy(self, /)": forwarded("copy"),
  "get(self, key, default=None, /)": forwarded("get"),
  "__or__(self, value, /)": forwarded("__or__"),
  "__eq__(self, value, /)": (self: MappingProxy, other: unknown) =>
    richcompare(self.mapping, other instanceof MappingProxy ? other.mapping : other, "=="),
  "__str__(self, /)": (self: MappingProxy) => str(self.mapping),
  "__repr__(self, /)": (self: MappingProxy) => `mappingproxy(${repr(self.mapping)})`,
});
mappingproxy_type.set("__hash__", null);
