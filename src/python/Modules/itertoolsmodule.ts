/**
 * @file The `itertools` module. Each tool is a class whose iterators run a generator of JavaScript.
 * @mirrors Modules/itertoolsmodule.c (CPython 3.11)
 * @differs A tool whose function raises has ended; CPython's could go on.
 */
import { call } from "../Objects/call.ts";
import { TypeError_, ValueError } from "../Objects/exceptions.ts";
import { each, iter, iterator_type, NativeIterator, type Reduced, step } from "../Objects/iterobject.ts";
import { define_class_methods, define_methods, define_static_methods, functions } from "../Objects/methodobject.ts";
import { equal, repr, truth } from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import type { PyClass, TypeObject } from "../Objects/typeobject.ts";
import { index, ssize } from "./arguments.ts";
import { combinations, combinations_with_replacement, permutations, product } from "./itertools_combinatorics.ts";
import { binary, is_number } from "./operations.ts";

type Make = (...args: never[]) => Iterator<unknown>;

/** A class of iterators from the signature of its constructor; `make` checks the arguments and begins the iteration. */
function tool(signature: string, make: Make): TypeObject {
  const cls = class extends NativeIterator {};
  const type = iterator_type(signature.slice(0, signature.indexOf("(")), cls);
  type.dict.set("__module__", "itertools");
  const parameters = signature.slice(signature.indexOf("(") + 1);
  // `cls` stands in front, so that parameters that come by position only include it.
  define_static_methods(type, {
    [`__new__(cls, ${parameters}`]: (of: PyClass, ...args: never[]) => Reflect.construct(cls, [make(...args)], of),
  });
  return type;
}

function* chain(iterables: Iterable<unknown>): Iterator<unknown> {
  for (const iterable of iterables) yield* each(iterable);
}

function accumulate(iterable: unknown, fn: unknown, initial: unknown): Iterator<unknown> {
  const source = iter(iterable);
  return (function* () {
    let total = initial === null ? step(source) : initial;
    while (total !== undefined) {
      yield total;
      const next = step(source);
      if (next === undefined) return;
      total = fn === null ? binary("+", total, next) : call(fn, total, next);
    }
  })();
}

function cycle(iterable: unknown): Iterator<unknown> {
  const source = each(iterable);
  return (function* () {
    const saved: unknown[] = [];
    for (const value of source) {
      saved.push(value);
      yield value;
    }
    while (saved.length > 0) yield* saved;
  })();
}

/** Values for which `keep` says true, of the iterable `values`. */
function* filtered(values: Iterable<unknown>, keep: (value: unknown) => boolean): Iterator<unknown> {
  for (const value of values) if (keep(value)) yield value;
}

function* compress(data: Iterable<unknown>, selectors: unknown): Iterator<unknown> {
  for (const value of data) {
    const selector = step(selectors);
    if (selector === undefined) return;
    if (truth(selector)) yield value;
  }
}

function* takewhile(predicate: unknown, values: Iterable<unknown>): Iterator<unknown> {
  for (const value of values) {
    if (!truth(call(predicate, value))) return;
    yield value;
  }
}

function dropwhile(predicate: unknown, values: unknown): Iterator<unknown> {
  let dropping = true;
  return filtered(each(values), (value) => {
    dropping = dropping && truth(call(predicate, value));
    return !dropping;
  });
}

function* starmap(fn: unknown, values: Iterable<unknown>): Iterator<unknown> {
  for (const args of values) yield call(fn, ...each(args));
}

function* pairwise(source: unknown): Iterator<unknown> {
  let before = step(source);
  if (before === undefined) return;
  for (let next = step(source); next !== undefined; next = step(source)) {
    yield tuple([before, next]);
    before = next;
  }
}

/** An argument of `islice`: None or an int that is not negative. */
function slice_argument(value: unknown, otherwise: number, message: string): number {
  if (value === null) return otherwise;
  let result: number | bigint = -1;
  try {
    result = index(value);
  } catch (error) {
    if (!(error instanceof TypeError_)) throw error;
  }
  if (result < 0) throw new ValueError(message);
  return Number(result);
}

function islice(iterable: unknown, bounds: unknown[]): Iterator<unknown> {
  if (bounds.length < 1 || bounds.length > 3)
    throw new TypeError_(
      `islice expected at ${bounds.length < 1 ? "least 2" : "most 4"} arguments, got ${bounds.length + 1}`,
    );
  const [first, last, by = null] = bounds.length === 1 ? [null, bounds[0]] : bounds;
  const range = "must be None or an integer: 0 <= x <= sys.maxsize.";
  const stop = slice_argument(
    last,
    Number.POSITIVE_INFINITY,
    bounds.length === 1 ? `Stop argument for islice() ${range}` : `Indices for islice() ${range}`,
  );
  const start = slice_argument(first, 0, `Indices for islice() ${range}`);
  const message = "Step for islice() must be a positive integer or None.";
  const stride = slice_argument(by, 1, message);
  if (stride < 1) throw new ValueError(message);
  const source = iter(iterable);
  return (function* () {
    let at = 0;
    for (let next = start; next < stop; next += stride) {
      let value: unknown;
      for (; at <= next; at++) if ((value = step(source)) === undefined) return;
      yield value;
    }
    for (; at < stop && Number.isFinite(stop); at++) if (step(source) === undefined) return;
  })();
}

function zip_longest(iterables: unknown[], keywords: Map<string, unknown>): Iterator<unknown> {
  const fill = keywords.get("fillvalue") ?? null;
  for (const name of keywords.keys())
    if (name !== "fillvalue") throw new TypeError_("zip_longest() got an unexpected keyword argument");
  const sources: unknown[] = iterables.map(iter);
  return (function* () {
    let left = sources.length;
    while (left > 0) {
      const row = sources.map((source, i) => {
        const value = source === null ? undefined : step(source);
        if (value !== undefined || source === null) return value ?? fill;
        sources[i] = null;
        left--;
        return fill;
      });
      if (left > 0) yield tuple(row);
    }
  })();
}

/** `groupby`, and the iterator over one group, which ends when the next group is asked for. */
function groupby(iterable: unknown, key: unknown, group: TypeObject): Iterator<unknown> {
  const source = iter(iterable);
  const read = (): readonly [unknown, unknown] | undefined => {
    const value = step(source);
    return value === undefined ? undefined : [key === null ? value : call(key, value), value];
  };
  return (function* () {
    let next = read();
    while (next !== undefined) {
      const [name] = next;
      let open = true;
      const members = (function* () {
        while (open && next !== undefined && equal(next[0], name)) {
          yield next[1];
          if (open) next = read();
        }
      })();
      yield tuple([name, Reflect.construct(NativeIterator, [members], group.cls)]);
      open = false;
      while (next !== undefined && equal(next[0], name)) next = read();
    }
  })();
}

/** Values that an iterator gave, for several readers: a list linked forwards, so that what all have read can go. */
interface Link {
  value: unknown;
  next: Link | null;
}

class Tee extends NativeIterator {
  link: Link;
  readonly source: unknown;

  constructor(source: unknown, link: Link) {
    super([].values());
    this.source = source;
    this.link = link;
  }

  override step(): unknown {
    if (this.link.next === null) {
      const value = step(this.source);
      if (value === undefined) return undefined;
      this.link.next = { value, next: null };
    }
    this.link = this.link.next;
    return this.link.value;
  }
}

function tee(iterable: unknown, n: unknown): unknown {
  const count = ssize(n);
  if (count < 0) throw new ValueError("n must be >= 0");
  const source = iter(iterable);
  const first = source instanceof Tee ? source : new Tee(source, { value: null, next: null });
  return tuple(Array.from({ length: count }, (_, i) => (i === 0 ? first : new Tee(first.source, first.link))));
}

/** `count` and `repeat` show where they are. */
class Count extends NativeIterator {
  at: unknown;
  readonly by: unknown;

  constructor(start: unknown, by: unknown) {
    super([].values());
    if (!is_number(start) || !is_number(by)) throw new TypeError_("a number is required");
    this.at = start;
    this.by = by;
  }

  override step(): unknown {
    const value = this.at;
    this.at = binary("+", value, this.by);
    return value;
  }

  override reduced(): Reduced {
    return [null, this.by === 1 ? [this.at] : [this.at, this.by]];
  }
}

function counting(): TypeObject {
  const type = iterator_type("count", Count);
  define_static_methods(type, {
    "__new__(cls, start=0, step=1)": (cls: PyClass, start, by) => Reflect.construct(Count, [start, by], cls),
  });
  define_methods(type, {
    "__repr__(self, /)": ({ at, by }: Count) => `count(${repr(at)}${by === 1 ? "" : `, ${repr(by)}`})`,
  });
  return type;
}

class Repeat extends NativeIterator {
  readonly object: unknown;
  left: number;

  constructor(object: unknown, times: number) {
    super([].values());
    this.object = object;
    this.left = times;
  }

  override step(): unknown {
    return this.left-- > 0 ? this.object : undefined;
  }

  override reduced(): Reduced {
    return [null, this.left === Number.POSITIVE_INFINITY ? [this.object] : [this.object, Math.max(0, this.left)]];
  }
}

function repeating(): TypeObject {
  const type = iterator_type("repeat", Repeat);
  define_static_methods(type, {
    "__new__(cls, object, times=<unset>)": (cls: PyClass, object, times) =>
      Reflect.construct(
        Repeat,
        [object, times === undefined ? Number.POSITIVE_INFINITY : Math.max(0, ssize(times))],
        cls,
      ),
  });
  const left = ({ left }: Repeat): number => Math.max(0, left);
  define_methods(type, {
    "__repr__(self, /)": (self: Repeat) =>
      `repeat(${repr(self.object)}${self.left === Number.POSITIVE_INFINITY ? "" : `, ${left(self)}`})`,
    "__length_hint__(self, /)": (self: Repeat) => {
      if (self.left === Number.POSITIVE_INFINITY) throw new TypeError_("len() of unsized object");
      return left(self);
    },
  });
  return type;
}

/** The module, made when it is first imported. */
export function itertools(): Map<string, unknown> {
  const group = iterator_type("_grouper", class extends NativeIterator {});
  const tee_type = iterator_type("_tee", Tee);
  define_methods(tee_type, { "__copy__(self, /)": (self: Tee) => new Tee(self.source, self.link) });
  const chain_type = tool("chain(*iterables)", chain as Make);
  const chain_class = chain_type.cls as unknown as new (it: Iterator<unknown>) => object;
  define_class_methods(chain_type, {
    "from_iterable(cls, iterable, /)": (cls: PyClass, iterable) =>
      Reflect.construct(chain_class, [chain(each(iterable))], cls),
  });
  const types = [
    chain_type,
    counting(),
    repeating(),
    group,
    tee_type,
    tool("accumulate(iterable, func=None, *, initial=None)", accumulate as Make),
    tool("combinations(iterable, r)", combinations as Make),
    tool("combinations_with_replacement(iterable, r)", combinations_with_replacement as Make),
    tool("compress(data, selectors)", (data, selectors) => compress(each(data), iter(selectors))),
    tool("cycle(iterable, /)", cycle as Make),
    tool("dropwhile(predicate, iterable, /)", dropwhile as Make),
    tool("filterfalse(function, iterable, /)", (fn, values) =>
      filtered(each(values), (value) => !truth(fn === null ? value : call(fn, value))),
    ),
    tool("groupby(iterable, key=None)", (iterable, key) => groupby(iterable, key, group)),
    tool("islice(iterable, *bounds)", islice as Make),
    tool("pairwise(iterable, /)", (iterable) => pairwise(iter(iterable))),
    tool("permutations(iterable, r=None)", permutations as Make),
    tool("product(*iterables, repeat=1)", product as Make),
    tool("starmap(function, iterable, /)", (fn, values) => starmap(fn, each(values))),
    tool("takewhile(predicate, iterable, /)", (predicate, values) => takewhile(predicate, each(values))),
    tool("zip_longest(*iterables, **keywords)", zip_longest as Make),
  ];
  const namespace = functions("itertools", { "tee(iterable, n=2, /)": tee });
  for (const type of types) {
    type.dict.set("__module__", "itertools");
    namespace.set(type.name, type.cls);
  }
  return namespace;
}
