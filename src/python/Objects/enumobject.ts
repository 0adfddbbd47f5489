/**
 * @file `enumerate` and `reversed`.
 * @mirrors Objects/enumobject.c (CPython 3.11)
 */
import { index_of } from "./abstract/numbers.ts";
import { length } from "./abstract/sequences.ts";
import { call_special, call_unbound, has_special } from "./call.ts";
import { IndexError, StopIteration, TypeError_ } from "./exceptions.ts";
import { allow_brackets } from "./genericaliasobject.ts";
import { iter, iterator_type, PyIterator, place_of, type Reduced, step } from "./iterobject.ts";
import { int_value } from "./longobject.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { tuple } from "./tupleobject.ts";
import { type PyClass, type_of } from "./typeobject.ts";

/** `enumerate(values, start)`. */
export class Enumerate extends PyIterator {
  private readonly values: unknown;
  private at: number | bigint;

  constructor(values: unknown, start: number | bigint) {
    super();
    this.values = values;
    this.at = start;
  }

  step(): unknown {
    const value = step(this.values);
    if (value === undefined) return undefined;
    const at = this.at;
    this.at = typeof at === "number" && at < Number.MAX_SAFE_INTEGER ? at + 1 : int_value(BigInt(at) + 1n);
    return tuple([at, value]);
  }

  override reduced(): Reduced {
    return [null, [this.values, this.at]];
  }
}

export const enumerate_type = iterator_type("enumerate", Enumerate);
allow_brackets(enumerate_type);
define_static_methods(enumerate_type, {
  "__new__(cls, iterable=<unset>, start=0)": (cls: PyClass, values: unknown, start: unknown) => {
    if (values === undefined) throw new TypeError_("enumerate() missing required argument 'iterable'");
    const first = index_of(start);
    return Reflect.construct(Enumerate, [iter(values), first], cls) as Enumerate;
  },
});

/** `reversed(values)` of a sequence that has no `__reversed__` of its own. */
class Reversed extends PyIterator {
  private values: unknown;
  private at: number;

  constructor(values: unknown) {
    super();
    this.values = values;
    this.at = length(values) - 1;
  }

  step(): unknown {
    if (this.values === null || this.at < 0) return undefined;
    try {
      return call_special(this.values, "__getitem__", this.at--);
    } catch (error) {
      if (!(error instanceof IndexError || error instanceof StopIteration)) throw error;
      this.values = null;
      return undefined;
    }
  }

  override reduced(): Reduced {
    return this.values === null || this.at < 0 ? [null, [tuple([])]] : [null, [this.values], this.at];
  }

  override set_state(state: unknown): void {
    if (this.values !== null) this.at = place_of(state, length(this.values) - 1);
  }

  get left(): number {
    return this.values === null ? 0 : this.at + 1;
  }
}

export const reversed_type = iterator_type("reversed", Reversed);
define_methods(reversed_type, { "__length_hint__(self, /)": (self: Reversed) => self.left });
define_static_methods(reversed_type, {
  "__new__(cls, sequence, /)": (cls: PyClass, values: unknown) => {
    const type = type_of(values);
    const method = type.lookup("__reversed__");
    if (method !== undefined && method !== null) return call_unbound(method, values, [], null, type);
    const is_sequence = has_special(values, "__getitem__") && !(values instanceof Map);
    if (method === null || !is_sequence) throw new TypeError_(`'${type.tp_name}' object is not reversible`);
    return Reflect.construct(Reversed, [values], cls) as Reversed;
  },
});
