/**
 * @file The root of the classes that programs extend: it separates making an object from running its constructor.
 * @original In CPython `__new__` makes an object and `__init__` fills it. A constructor of JavaScript does both at once.
 *
 * Note [Constructors on an object that is there]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * In Python, `self` exists before `super().__init__(3, 4)` runs, and may have attributes already. In JavaScript, `super(3, 4)` makes the object.
 * But a constructor works on whatever its `super()` returned: its fields and its body apply to that. So every class that a program may extend
 * has one root, whose constructor returns the object that is waiting:
 *
 *     const self = allocate(Linear, MyLinear.prototype);     // Python's __new__
 *     self.scale = 2;                                        // lines before super().__init__
 *     construct_on(self, Linear, [3, 4]);                    // super().__init__(3, 4): new Linear(3, 4), but on self
 *
 * A constructor may make other objects before it calls `super()`. They are not confused with the one that waits, because their class is another.
 */

// biome-ignore lint/suspicious/noExplicitAny: a constructor takes any arguments
type Constructor = abstract new (...args: any[]) => object;

/** The object that waits for its constructor, and the class in whose name it is made. */
let waiting: { readonly self: object; readonly type: unknown } | null = null;

/** A class whose objects are not plain (a module is a function) makes them by a static method of this name, from the prototype. */
export const ALLOCATE: unique symbol = Symbol("allocate");
/** A class whose constructor does less than Python's `__init__` when it runs for a subclass gives the rest by a static method of this name. */
export const INITIALIZE: unique symbol = Symbol("initialize");

/**
 * A class whose methods and constructor take a program's values as they are: a dict stays a `PyDict`, a range a range. Other classes of the library
 * get them converted (bridge/values.ts).
 */
export const TAKES_VALUES: unique symbol = Symbol("takes values");

export class Allocated {
  constructor() {
    if (waiting === null || waiting.type !== new.target) return;
    const { self } = waiting;
    waiting = null;
    // biome-ignore lint/correctness/noConstructorReturn: see the Note
    return self as this;
  }

  static [ALLOCATE](prototype: object): object {
    return Object.create(prototype) as object;
  }
}

/** Whether an object of the class `new_target` waits for the constructor that runs now; ask before `super()`. */
export function is_waiting(new_target: unknown): boolean {
  return waiting !== null && waiting.type === new_target;
}

/** An object with this prototype that no constructor has seen. `cls` is the class of the library that it descends from. */
export function allocate(cls: Constructor, prototype: object = cls.prototype): object {
  return (cls as unknown as typeof Allocated)[ALLOCATE](prototype);
}

/** Runs the constructor of `cls` on an object that `allocate` made, or that a constructor has seen before. */
export function construct_on(self: object, cls: Constructor, args: readonly unknown[]): void {
  if (Object.hasOwn(cls, INITIALIZE)) {
    (cls as unknown as { [INITIALIZE](self: object, args: readonly unknown[]): void })[INITIALIZE](self, args);
    return;
  }
  run_constructor(self, cls, args);
}

/** Runs JavaScript's constructor of `cls` on an object that is there; what stands in for it is not asked. */
export function run_constructor(self: object, cls: Constructor, args: readonly unknown[]): void {
  const before = waiting;
  const type = self.constructor as Constructor;
  waiting = { self, type };
  try {
    Reflect.construct(cls as new () => object, args, type);
  } finally {
    waiting = before;
  }
}
