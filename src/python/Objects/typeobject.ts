/**
 * @file Types: the record that stands behind every class, its namespace, its method resolution order and the search for a name in it.
 * @mirrors Objects/typeobject.c (CPython 3.11)
 */

import { TypeError_ } from "./exceptions.ts";
import { FloatValue } from "./floatobject.ts";
import { NotImplemented } from "./not_implemented.ts";

// Note [Values of the machine]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Python value          JavaScript value
// int                   a number if it is a safe integer, otherwise a bigint
// float                 a number if it has a fraction or is infinite or NaN, otherwise a FloatValue (also -0.0)
// str, bool, None       string, boolean, null; `undefined` means "unbound" and is never a value
// list, tuple           an Array, a PyTuple
// dict, set             a PyDict (a Map), a PySet
// class                 a JavaScript function that carries its `TypeObject` under `INFO`
// instance              an object whose prototype carries the `TypeObject` under `TYPE`
// function, method      a JavaScript function, so that the library can call it; see funcobject.ts and methodobject.ts
// instance of a class       an object that carries its number, text or bytes under `PRIMITIVE`: see Note [Subclasses of primitive types]
//   that derives from int, str, float, complex or bytes
// So nothing is converted when a value crosses between a program and the library, and one function, `type_of`, knows every value's type.

/** Every prototype of Python's objects has its type here; so do functions and classes themselves. */
export const TYPE: unique symbol = Symbol("python.type");
/** A JavaScript function that is a Python class carries its record here. */
export const INFO: unique symbol = Symbol("python.info");

// Note [Subclasses of primitive types]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// `class Name(str)` makes objects, and JavaScript's strings cannot be objects with a class. So `Name("x")` is an ordinary instance that carries "x"
// under `PRIMITIVE`. The methods of `str` take the text out of their arguments before they run (methodobject.ts); whoever else asks for a text or a
// number in TypeScript does it with `plain_value`. A value crosses to the library without its class.

/** An instance of a subclass of int, str, float, complex or bytes carries its value here. */
export const PRIMITIVE: unique symbol = Symbol("python.primitive");

/** The value that an instance of a subclass of a primitive type carries; any other value itself. */
export function plain_value(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const carried = (value as { readonly [PRIMITIVE]?: unknown })[PRIMITIVE];
  return carried === undefined ? value : carried;
}

/** A Python class as the program sees it. Calling it makes an instance, from Python and (with or without `new`) from JavaScript. */
export interface PyClass {
  (...args: unknown[]): unknown;
  new (...args: unknown[]): unknown;
  readonly prototype: object;
  readonly [INFO]: TypeObject;
}

/** Arguments of a call as the machine passes them: positional ones, then the values of `kwnames`. */
export type VectorCall = (callable: never, args: unknown[], kwnames: readonly string[] | null) => unknown;

/** A method, its instance, and the arguments behind the instance. */
export type CallOn = (
  method: never,
  self: unknown,
  args: readonly unknown[],
  kwnames: readonly string[] | null,
) => unknown;

export type Getter = (descriptor: never, instance: unknown, type: TypeObject) => unknown;
export type Setter = (descriptor: never, instance: unknown, value: unknown) => void;
export type GetAttribute = (instance: never, name: string) => unknown;
export type SetAttribute = (instance: never, name: string, value: unknown) => void;

/** Behaviour of a type that is written in TypeScript; a class of a program inherits it from its bases. */
export interface Slots {
  /** Calls an instance. */
  tp_call?: VectorCall | null;
  /** Calls a method of this type on an instance that is not yet among its arguments. It does the same as `tp_call`, and saves a list. */
  tp_call_on?: CallOn;
  /** Turns an attribute of this type into its value when it is found in a class: a bound method, a property's value. `instance` is undefined for a class. */
  tp_descr_get?: Getter;
  /** Makes the type a data descriptor; `value` is undefined for `del`. */
  tp_descr_set?: Setter;
  /** Finds an attribute of an instance; `undefined` if there is none. */
  tp_getattro?: GetAttribute | null;
  /** Sets an attribute of an instance, or deletes it if `value` is undefined. */
  tp_setattro?: SetAttribute | null;
  /** Whether calling an attribute of this type with the instance in front is the same as binding and calling it (Py_TPFLAGS_METHOD_DESCRIPTOR). */
  is_method_descriptor?: boolean;
  /** JavaScript's constructor of the memory of an instance, with the class to take the prototype from; null: such a type has no instances. */
  tp_alloc?: ((cls: PyClass) => object) | null;
}

/** The names of a class that JavaScript uses itself are kept under another key in an instance. */
export function key_of(name: string): string {
  return name === "constructor" || name === "__proto__" ? `\0${name}` : name;
}

/** The key of an attribute in an instance of a type: that of `key_of`, or another one if JavaScript's own objects use the name. */
export function key_in(type: TypeObject, name: string): string {
  return type.reserved?.has(name) === true ? `\0${name}` : key_of(name);
}

/** Names that the objects of a JavaScript class use themselves: a list's `length` and `push`, an error's `message`. */
function names_of_javascript(prototype: object): Set<string> {
  const names = new Set(prototype instanceof Error ? ["message", "stack", "cause"] : ["length"]);
  for (let at: object | null = prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return names;
}

/** A `TypeObject` is what C calls `PyTypeObject`: everything about a class but the function that the program sees, which is `cls`. */
export class TypeObject {
  readonly name: string;
  qualname: string;
  readonly bases: readonly TypeObject[];
  /** Method resolution order, beginning with the type itself. */
  readonly mro: readonly TypeObject[];
  /** Attributes that the class itself defines. Change them with `set`, so that caches hear of it. */
  readonly dict = new Map<string, unknown>();
  readonly metatype: TypeObject;
  /** Whether a program made it: its attributes can be set. */
  readonly heap: boolean;
  cls!: PyClass;
  readonly tp_call: VectorCall | null;
  readonly tp_call_on: CallOn | null;
  tp_descr_get: Getter | null;
  tp_descr_set: Setter | null;
  tp_getattro: GetAttribute | null;
  tp_setattro: SetAttribute | null;
  readonly is_method_descriptor: boolean;
  /** Prototype of the instances of a class of the library: its subclasses have types of their own, which may not be known yet. */
  only_prototype: object | null = null;
  readonly tp_alloc: ((cls: PyClass) => object) | null;
  /** Names that JavaScript uses itself in instances; attributes of these names stand under other keys. */
  reserved: ReadonlySet<string> | null;
  /** Whether an instance may hold an attribute that hides a function of the class. */
  shadowed = false;
  /** Whether instances can hold attributes of their own. */
  has_dict: boolean;
  /** Whether `object.__new__` makes instances although a base has a `__new__`: a class of the library that PyTorch writes in Python. */
  allocates = false;
  /** Whether its own instances are no objects of JavaScript that could have another class; see Note [Subclasses of primitive types]. */
  is_primitive = false;
  /** The type that a program sees for values of this one: a plain object of the library is a dict. */
  shown_as: TypeObject | null = null;
  /** Whether CPython writes the class in C, although it is written in Python here: messages have its full name. */
  in_messages_full = false;
  /** The names in `__slots__` of the class and its bases; null: the class does not declare any. */
  slots: ReadonlySet<string> | null = null;
  /** Counts changes of this class and its bases. */
  version = 0;
  private readonly found = new Map<string, unknown>();
  private readonly subclasses_: WeakRef<TypeObject>[] = [];

  constructor(
    name: string,
    bases: readonly TypeObject[],
    metatype: TypeObject | null,
    heap: boolean,
    slots: Slots = {},
  ) {
    this.name = name;
    this.qualname = name;
    this.bases = bases;
    this.heap = heap;
    this.metatype = metatype ?? this;
    this.mro = mro_of(this, bases);
    const inherited = <K extends keyof Slots>(slot: K): Slots[K] | null => {
      if (slots[slot] !== undefined) return slots[slot];
      for (const base of this.mro.slice(1)) if (base[slot] !== null) return base[slot] as Slots[K];
      return null;
    };
    this.tp_call = inherited("tp_call") ?? null;
    this.tp_call_on = slots.tp_call_on ?? null;
    this.tp_descr_get = inherited("tp_descr_get") ?? null;
    this.tp_descr_set = inherited("tp_descr_set") ?? null;
    this.tp_getattro = inherited("tp_getattro") ?? null;
    this.tp_setattro = inherited("tp_setattro") ?? null;
    this.tp_alloc = inherited("tp_alloc") ?? null;
    this.is_method_descriptor = slots.is_method_descriptor ?? false;
    this.reserved = bases.find((base) => base.reserved !== null)?.reserved ?? null;
    this.has_dict = heap || bases.some((base) => base.has_dict);
    for (const base of bases) base.subclasses_.push(new WeakRef(this));
  }

  /** The attribute of this name in the class or the nearest base that has it, unbound; undefined if none has. */
  lookup(name: string): unknown {
    const known = this.found.get(name);
    if (known !== undefined) return known === ABSENT ? undefined : known;
    for (const type of this.mro) {
      const value = type.own(name);
      if (value !== undefined) {
        this.found.set(name, value);
        return value;
      }
    }
    this.found.set(name, ABSENT);
    return undefined;
  }

  /** Names of the attributes that the class itself defines, for `dir`. */
  names(): Iterable<string> {
    return this.dict.keys();
  }

  /** The attribute that the class itself defines; a class of the library finds it on its prototype. */
  own(name: string): unknown {
    return this.dict.get(name);
  }

  /** Changes an attribute of a class that no program made; false if the class cannot be changed. */
  change(_name: string, _value: unknown): boolean {
    return false;
  }

  /** Sets an attribute of the class itself; undefined deletes it. */
  set(name: string, value: unknown): void {
    if (value === undefined) this.dict.delete(name);
    else this.dict.set(name, value);
    this.modified();
  }

  /** Forgets what was found, here and in subclasses. */
  modified(): void {
    this.version++;
    this.found.clear();
    for (const subclass of this.subclasses_) subclass.deref()?.modified();
  }

  /** Direct subclasses that are alive, in the order in which they were made. */
  subclasses(): TypeObject[] {
    return this.subclasses_.map((it) => it.deref()).filter((it) => it !== undefined);
  }

  is_subtype(of: TypeObject): boolean {
    return this === of || this.mro.includes(of);
  }

  /** The name in messages: a class that is not a program's is named with its module. */
  get tp_name(): string {
    return this.heap && !this.in_messages_full ? this.name : full_name(this);
  }

  toString(): string {
    return `<class '${full_name(this)}'>`;
  }
}

const ABSENT = Symbol("absent");

/** `module.qualname`, without the module for built-in types. */
export function full_name(type: TypeObject): string {
  const module = type.dict.get("__module__");
  return typeof module === "string" && module !== "builtins" ? `${module}.${type.qualname}` : type.qualname;
}

/** Method resolution order by the C3 rule: a class before its bases, and bases in the order in which they are written. */
function mro_of(type: TypeObject, bases: readonly TypeObject[]): TypeObject[] {
  const twice = bases.find((base, i) => bases.indexOf(base) !== i);
  if (twice !== undefined) throw new TypeError_(`duplicate base class ${twice.name}`);
  const open = [...bases.map((base) => [...base.mro]), [...bases]];
  const order = [type];
  for (;;) {
    const lists = open.filter((list) => list.length > 0);
    if (lists.length === 0) return order;
    const next = lists
      .map((list) => list[0] as TypeObject)
      .find((head) => lists.every((list) => !list.includes(head, 1)));
    if (next === undefined) {
      const heads = [...new Set(lists.map((list) => (list[0] as TypeObject).name))];
      throw new TypeError_(`Cannot create a consistent method resolution\norder (MRO) for bases ${heads.join(", ")}`);
    }
    order.push(next);
    for (const list of lists) if (list[0] === next) list.shift();
  }
}

/** Makes the function that a program sees as the class, and connects it with its record. */
function publish(type: TypeObject, cls: PyClass, prototype: object): void {
  type.cls = cls;
  if (cls.prototype !== prototype) Object.defineProperty(cls, "prototype", { value: prototype });
  Object.defineProperties(cls, {
    name: { value: type.name, configurable: true },
    [INFO]: { value: type },
    [TYPE]: { value: type.metatype },
  });
  Object.defineProperties(prototype, {
    constructor: { value: cls, configurable: true, writable: true },
    [TYPE]: { value: type },
  });
}

/** Makes instances for callers in JavaScript; set by the file that makes instances. */
export const constructing: { from_js: (type: TypeObject, args: unknown[], new_target: unknown) => unknown } = {
  from_js: () => {
    throw new TypeError_("classes are not ready");
  },
};

function class_function(type: () => TypeObject): PyClass {
  return function (this: unknown, ...args: unknown[]) {
    return constructing.from_js(type(), args, new.target);
  } as unknown as PyClass;
}

/** `type` itself, whose type it is. */
export const type_type: TypeObject = (() => {
  const object_ = new TypeObject("object", [], null, false);
  // `object`'s metatype must be `type`, which derives from `object`: the one circle of the type system.
  const type_ = new TypeObject("type", [object_], null, false);
  (object_ as { metatype: TypeObject }).metatype = type_;
  publish(
    object_,
    class_function(() => object_),
    Object.create(null) as object,
  );
  publish(
    type_,
    class_function(() => type_),
    Object.create(Function.prototype) as object,
  );
  return type_;
})();

export const object_type: TypeObject = type_type.bases[0] as TypeObject;

export interface BuiltinType extends Slots {
  /** The type that `type(value)` gives, if the type is another form of that. */
  readonly shown_as?: TypeObject;
  /** Whether CPython makes the type while a program runs: messages have its short name. */
  readonly heap?: boolean;
  readonly bases?: readonly TypeObject[];
  /** Prototype of the JavaScript class whose objects are the instances; it gets the type as a property. */
  readonly prototype?: object;
  /** JavaScript's class, if it is to be the class that a program sees; otherwise a function is made. */
  readonly cls?: abstract new (
    ...args: never[]
  ) => object;
  readonly module?: string;
  readonly metatype?: TypeObject;
  /** Whether a program may derive from the type although its methods rely on JavaScript's own properties of the instances. */
  readonly reserves_names?: boolean;
}

/** A type that is written in TypeScript. Its methods are added with `define_methods` (methodobject.ts). */
export function builtin_type(name: string, description: BuiltinType = {}): TypeObject {
  const {
    bases = [object_type],
    cls,
    prototype = cls?.prototype,
    module = "builtins",
    metatype = type_type,
    reserves_names = false,
    shown_as = null,
    heap = false,
    ...slots
  } = description;
  const type = new TypeObject(name, bases, metatype, heap, slots);
  publish(
    type,
    cls === undefined ? class_function(() => type) : (cls as unknown as PyClass),
    prototype ?? (Object.create((bases[0] as TypeObject).cls.prototype) as object),
  );
  if (reserves_names) type.reserved = names_of_javascript(type.cls.prototype);
  type.dict.set("__module__", module);
  type.shown_as = shown_as;
  return type;
}

/** A type that a program makes: its instances' prototype descends from that of the base that decides their memory. */
export function heap_type(
  name: string,
  bases: readonly TypeObject[],
  metatype: TypeObject,
  prototype: object,
  slots: Slots = {},
): TypeObject {
  const type = new TypeObject(name, bases, metatype, true, slots);
  publish(
    type,
    class_function(() => type),
    prototype,
  );
  return type;
}

object_type.dict.set("__module__", "builtins");
type_type.dict.set("__module__", "builtins");

/** A type whose instances are values of JavaScript or objects that a program's classes cannot share. */
export function primitive_type(name: string, description: BuiltinType = {}): TypeObject {
  const type = builtin_type(name, { ...description, tp_alloc: (cls) => Object.create(cls.prototype) as object });
  type.is_primitive = true;
  return type;
}

/** An instance of `cls` with this value; for the type itself, the value. */
export function primitive_new(type: TypeObject, cls: PyClass, value: unknown): unknown {
  if (cls === type.cls) return value;
  const instance = Object.create(cls.prototype) as object;
  Object.defineProperty(instance, PRIMITIVE, { value });
  return instance;
}

export const int_type = primitive_type("int");
export const float_type = primitive_type("float", { prototype: FloatValue.prototype });
export const bool_type = builtin_type("bool", { bases: [int_type] });
export const str_type = primitive_type("str");
export const none_type = builtin_type("NoneType");
export const list_type = builtin_type("list", {
  prototype: Object.create(Array.prototype) as object, // a subclass is an array, too
  reserves_names: true,
  tp_alloc: (cls) => Reflect.construct(Array, [], cls) as object,
});

/** Gives the types of JavaScript's own objects, which carry no type of Python: the library's tensors, modules, classes and functions. */
export const foreign: {
  type_of: (value: object) => TypeObject;
  /** The record of a class of the library; null if the value is no class. */
  class_of: (value: unknown) => TypeObject | null;
  /** Whether a function of JavaScript is a method when it stands in a class. */
  is_method: (value: object) => boolean;
  /** Whether it is a function of JavaScript that takes no instance when it stands in a class. */
  is_function: (value: object) => boolean;
  /** A constant of a class as the library reads it. */
  constant: (value: unknown) => unknown;
} = {
  type_of: () => object_type,
  class_of: () => null,
  is_method: () => false,
  is_function: () => false,
  constant: (value) => value,
};

export const notimplemented_type = builtin_type("NotImplementedType");

/** The type of any value. */
export function type_of(value: unknown): TypeObject {
  switch (typeof value) {
    case "object":
      if (value === null) return none_type;
      break;
    case "function":
      break;
    case "number":
      return Number.isInteger(value) && !Object.is(value, -0) ? int_type : float_type;
    case "string":
      return str_type;
    case "boolean":
      return bool_type;
    case "bigint":
      return int_type;
    default:
      if (value === NotImplemented) return notimplemented_type;
      throw new TypeError_(`a value of JavaScript's type '${typeof value}' is not a Python object`);
  }
  const type = (value as { readonly [TYPE]?: TypeObject })[TYPE];
  if (type !== undefined) {
    if (type.only_prototype !== null)
      return Object.getPrototypeOf(value) === type.only_prototype ? type : foreign.type_of(value as object);
    // A class of the library inherits the properties of its base's function; only its own say that it has a record.
    if (typeof value === "function" && INFO in value && !Object.hasOwn(value, INFO)) return foreign.type_of(value);
    return type;
  }
  return Array.isArray(value) ? list_type : foreign.type_of(value as object);
}

/** Whether the value is a class, of Python or of the library. */
export function info_of(value: unknown): TypeObject | undefined {
  if (typeof value !== "function") return undefined;
  return Object.hasOwn(value, INFO) ? (value as unknown as PyClass)[INFO] : undefined;
}

/** Whether `value` is an instance of `type` or of a subclass. */
export function is_instance(value: unknown, type: TypeObject): boolean {
  return type_of(value).is_subtype(type);
}
