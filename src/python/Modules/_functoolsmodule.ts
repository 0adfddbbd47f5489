/**
 * @file The heart of `functools`: `partial`, `reduce`, the cache of `lru_cache`, `cmp_to_key`. The rest is Lib/functools.py.
 * @mirrors Modules/_functoolsmodule.c (CPython 3.11)
 */
import { call, vectorcall } from "../Objects/call.ts";
import { define_attributes } from "../Objects/descrobject.ts";
import { dict_of, PyDict } from "../Objects/dictobject.ts";
import { TypeError_ } from "../Objects/exceptions.ts";
import { bind_method } from "../Objects/funcobject.ts";
import { iter, step } from "../Objects/iterobject.ts";
import { builtin_function, define_methods, define_static_methods, functions } from "../Objects/methodobject.ts";
import {
  type Comparison,
  comparison_methods,
  getattr_or_undefined,
  is_callable,
  repr,
  repr_once,
  richcompare,
  setattr,
} from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { builtin_type, full_name, object_type, type PyClass, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { callable_object, callable_type } from "./callable_object.ts";

interface Partial {
  func: unknown;
  args: readonly unknown[];
  keywords: PyDict;
}

function partial_type(): TypeObject {
  const type: TypeObject = callable_type("partial", "functools", (self: Partial, args, kwnames) => {
    const keywords = new Map(self.keywords as Map<string, unknown>);
    const given = args.length - (kwnames?.length ?? 0);
    kwnames?.forEach((name, i) => {
      keywords.set(name, args[given + i]);
    });
    const values = [...self.args, ...args.slice(0, given), ...keywords.values()];
    return vectorcall(self.func, values, keywords.size === 0 ? null : [...keywords.keys()]);
  });
  define_static_methods(type, {
    "__new__(cls, func, /, *args, **keywords)": (
      cls: PyClass,
      func: unknown,
      args: unknown[],
      keywords: Map<string, unknown>,
    ) => {
      if (!is_callable(func)) throw new TypeError_("the first argument must be callable");
      // A partial of a partial is one object.
      const inner = type_of(func) === type && cls === type.cls ? (func as Partial) : null;
      return callable_object<Partial>(cls, {
        func: inner?.func ?? func,
        args: tuple([...(inner?.args ?? []), ...args]),
        keywords: dict_of([...(inner?.keywords ?? []), ...keywords]),
      });
    },
  });
  define_attributes(type, {
    func: (self: Partial) => self.func,
    args: (self: Partial) => self.args,
    keywords: (self: Partial) => self.keywords,
  });
  define_methods(type, {
    "__reduce__(self, /)": (self: Partial) => {
      const dict = getattr_or_undefined(self, "__dict__") as PyDict | undefined;
      const state = tuple([self.func, self.args, self.keywords, dict === undefined || dict.size === 0 ? null : dict]);
      return tuple([type_of(self).cls, tuple([self.func]), state]);
    },
    "__setstate__(self, state, /)": (self: Partial, state: unknown) => {
      const [func, args, keywords, dict] = Array.isArray(state) ? (state as unknown[]) : [];
      const is_state = Array.isArray(state) && state.length === 4 && Array.isArray(args) && is_callable(func);
      if (!is_state) throw new TypeError_("invalid partial state");
      Object.assign(self, { func, args: tuple(args), keywords: dict_of([...((keywords ?? []) as PyDict)]) });
      if (dict instanceof Map) for (const [name, value] of dict) setattr(self, String(name), value);
    },
    "__repr__(self, /)": (self: Partial) =>
      repr_once(self, "...", () => {
        const parts = [repr(self.func), ...self.args.map(repr)];
        for (const [name, value] of self.keywords) parts.push(`${String(name)}=${repr(value)}`);
        return `${full_name(type_of(self))}(${parts.join(", ")})`;
      }),
  });
  return type;
}

// ---- The cache

interface Cache {
  __wrapped__: unknown;
  readonly results: PyDict;
  readonly maxsize: number;
  readonly typed: boolean;
  readonly info: unknown;
  counts: { hits: number; misses: number };
}

/** Stands between positional arguments and keywords in a key. */
const identity_mark = Object.create(object_type.cls.prototype) as object;

/** One value for equal arguments. A single int or str is its own key. */
function key_of_call(args: readonly unknown[], kwnames: readonly string[] | null, typed: boolean): unknown {
  if (!typed && kwnames === null && args.length === 1) {
    const [only] = args;
    if (typeof only === "string" || (typeof only === "number" && Number.isInteger(only))) return only;
  }
  const given = args.length - (kwnames?.length ?? 0);
  const parts: unknown[] = args.slice(0, given);
  if (kwnames !== null) parts.push(identity_mark, ...kwnames.flatMap((name, i) => [name, args[given + i]]));
  if (typed) parts.push(...args.map((value) => type_of(value).cls));
  return tuple(parts);
}

function cached(self: Cache, args: unknown[], kwnames: readonly string[] | null): unknown {
  const run = (): unknown => vectorcall(self.__wrapped__, [...args], kwnames);
  if (self.maxsize === 0) {
    self.counts.misses++;
    return run();
  }
  const key = key_of_call(args, kwnames, self.typed);
  const known = self.results.get(key);
  if (known !== undefined) {
    self.counts.hits++;
    if (self.maxsize !== Number.POSITIVE_INFINITY) {
      // The latest used stands last.
      self.results.delete(key);
      self.results.set(key, known);
    }
    return known;
  }
  self.counts.misses++;
  const result = run();
  if (self.results.size >= self.maxsize && !self.results.has(key))
    self.results.delete(self.results.keys().next().value);
  self.results.set(key, result);
  return result;
}

function cache_type(): TypeObject {
  const type = callable_type("_lru_cache_wrapper", "functools", cached, {
    tp_descr_get: (self, instance) => (instance === undefined ? self : bind_method(self, instance)),
  });
  define_static_methods(type, {
    "__new__(cls, user_function, maxsize, typed, cache_info_type, /)": (
      cls: PyClass,
      fn: unknown,
      maxsize: number | null,
      typed: boolean,
      info: unknown,
    ) =>
      callable_object<Cache>(cls, {
        __wrapped__: fn,
        results: new PyDict(),
        maxsize: maxsize ?? Number.POSITIVE_INFINITY,
        typed,
        info,
        counts: { hits: 0, misses: 0 },
      }),
  });
  define_methods(type, {
    "cache_info(self, /)": ({ info, counts, maxsize, results }: Cache) =>
      call(info, counts.hits, counts.misses, maxsize === Number.POSITIVE_INFINITY ? null : maxsize, results.size),
    "cache_clear(self, /)": (self: Cache) => {
      self.results.clear();
      self.counts = { hits: 0, misses: 0 };
    },
    "__copy__(self, /)": (self) => self,
    "__deepcopy__(self, memo, /)": (self) => self,
  });
  return type;
}

// ---- Comparison by a function

class KeyWrapper {
  readonly cmp: unknown;
  readonly obj: unknown;

  constructor(cmp: unknown, obj: unknown) {
    this.cmp = cmp;
    this.obj = obj;
  }
}

function key_type(): TypeObject {
  const type = builtin_type("KeyWrapper", { cls: KeyWrapper, module: "functools" });
  define_attributes(type, { obj: (self: KeyWrapper) => self.obj });
  const compare = (how: Comparison) => (self: KeyWrapper, other: unknown) => {
    if (!(other instanceof KeyWrapper)) throw new TypeError_("other argument must be K instance");
    return richcompare(call(self.cmp, self.obj, other.obj), 0, how);
  };
  define_methods(type, {
    ...comparison_methods(compare),
  });
  type.set("__hash__", null);
  return type;
}

function reduce(fn: unknown, iterable: unknown, initial: unknown): unknown {
  const source = iter(iterable);
  let result = initial === undefined ? step(source) : initial;
  if (result === undefined) throw new TypeError_("reduce() of empty iterable with no initial value");
  for (let value = step(source); value !== undefined; value = step(source)) result = call(fn, result, value);
  return result;
}

export function _functools(): Map<string, unknown> {
  key_type();
  const namespace = functions("_functools", {
    "reduce(function, iterable, initial=<unset>, /)": reduce,
    "cmp_to_key(mycmp)": (cmp) => builtin_function("K(obj)", (obj) => new KeyWrapper(cmp, obj)),
  });
  namespace.set("partial", partial_type().cls);
  namespace.set("_lru_cache_wrapper", cache_type().cls);
  return namespace;
}
