/**
 * @file Python's dictionary classes, such as `OrderedDict`, the class of a state dict.
 * @original Python's module `collections`.
 * @differs `delete dict[name]` and `name in dict` do not see the items; Python's `del` and `in` do. Write `dict.delete(name)`, `dict.has(name)`.
 */
import { TensorBase } from "./_C.ts";
import { cut_string, FreshString, py_global, type Reduced } from "./_pickle/index.ts";

/** A Map that a pickle names `collections.OrderedDict`. Properties set on it (`_metadata`) are saved with it. */
export class OrderedDict<K = unknown, V = unknown> extends Map<K, V> {
  __reduce_ex__(_protocol: number): Reduced {
    const func = py_global("collections", "OrderedDict");
    const { _metadata } = this as { _metadata?: unknown };
    if (!(_metadata instanceof Map)) return { func, args: [], dictitems: this, ...own_state(this) };
    // The state of a module: PyTorch creates the keys with a point in them while saving (Note [Strings of Python]).
    const dictitems = [...this].map(([key, value]) => [is_dotted(key) ? new FreshString(key) : key, value] as const);
    return { func, args: [], dictitems, state: { ...this, _metadata: new Prefixes(_metadata) } };
  }
}

/**
 * Python's `state_dict["fc.weight"]`. Names that neither the dictionary nor its class has as a property are looked up among the keys. Assigning a
 * tensor, or assigning to a key, sets the item; other values become properties, which PyTorch keeps apart (`_metadata`).
 */
const items: object = new Proxy(Object.create(Map.prototype) as object, {
  get(target, name, receiver: unknown) {
    return typeof name === "string" && !(name in target) && has_key(receiver, name)
      ? receiver.get(name)
      : Reflect.get(target, name, receiver);
  },
  set(target, name, value, receiver: unknown) {
    if (typeof name === "string" && !(name in target) && (has_key(receiver, name) || is_filled_with(receiver, value))) {
      receiver.set(name, value);
      return true;
    }
    return Reflect.set(target, name, value, receiver);
  },
});
Object.setPrototypeOf(OrderedDict.prototype, items);

function is_filled_with(dict: unknown, value: unknown): dict is Map<unknown, unknown> {
  return dict instanceof OrderedDict && value instanceof TensorBase;
}

/** Whether a dictionary, and not the prototype of its class, has the key. */
function has_key(dict: unknown, name: string): dict is Map<unknown, unknown> {
  try {
    return Map.prototype.has.call(dict as Map<unknown, unknown>, name);
  } catch {
    return false;
  }
}

function own_state(dict: object): { state?: object } {
  return Object.keys(dict).length === 0 ? {} : { state: { ...dict } };
}

function is_dotted(key: unknown): key is string {
  return typeof key === "string" && key.includes(".");
}

/** The metadata of a state dict, by module name. PyTorch cuts these names out of the keys. */
class Prefixes extends Map<unknown, unknown> {
  __reduce_ex__(_protocol: number): Reduced {
    const dictitems = [...this].map(
      ([key, value]) => [typeof key === "string" ? cut_string(key) : key, value] as const,
    );
    return { func: py_global("collections", "OrderedDict"), args: [], dictitems };
  }
}

/** A Map that a pickle names `collections.Counter`. */
export class Counter<K = unknown> extends Map<K, number> {
  __reduce_ex__(_protocol: number): Reduced {
    return { func: py_global("collections", "Counter"), args: [new Map(this)] };
  }
}
