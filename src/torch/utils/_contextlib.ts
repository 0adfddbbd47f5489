/**
 * @file Context managers, and the functions that create them.
 * @mirrors torch/utils/_contextlib.py
 * @differs Ours replaces Python's `with` by `torch.no_grad(() => ...)`, which returns the result of the function, and by
 * `using _ = torch.no_grad()`, which ends with the block, see Note [`using` enters]; PyTorch uses `with torch.no_grad():`. As a decorator it is
 * `torch.no_grad()(fn)`; in PyTorch also `torch.no_grad(fn)`, which calls `fn` here. Functions of a Python program are decorated by both.
 */
import { TypeError_ } from "#c10/util/Exception";
import { ALLOCATE, INITIALIZE, run_constructor } from "#python/Objects/allocated";
import { type AbstractContextManager, isDict } from "#torch/_C";
import { type Args, dress, Signature, signature as signature_of } from "#torch/_signature";
import { type_name } from "#torch/_utils/index";

type Body<R> = () => R;
/** The arguments followed by the body; arguments with a default may be omitted. */
type WithBody<A extends unknown[], R, Given extends unknown[] = []> = A extends []
  ? [...Given, body: Body<R>]
  : number extends A["length"]
    ? never
    :
        | ([] extends A ? [...Given, body: Body<R>] : never)
        | (A extends [(infer H)?, ...infer T] ? WithBody<T, R, [...Given, H]> : never);

/** A context manager that is also a decorator: `torch.no_grad()(fn)` is a function that runs `fn` inside a new context at each call. */
// biome-ignore lint/suspicious/noExplicitAny: a function of any type, which the result has as well
type Decorating = AbstractContextManager & (<F extends (...args: any[]) => unknown>(func: F) => F);

/** Creates a context manager, for `using`, for a body, or as a decorator. */
export interface ContextManager<A extends unknown[]> {
  (...args: A): Decorating;
  <R>(...args: WithBody<A, R>): R;
}

/** `with context: return body()`. */
export function call_inside<R>(context: AbstractContextManager, body: Body<R>): R {
  context.__enter__();
  try {
    return body();
  } finally {
    context.__exit__();
  }
}

/** Decorates what a Python program defines; the machine sets these. */
export const decorators: {
  is_foreign: (value: unknown) => boolean;
  decorate: (func: unknown, recreate: () => AbstractContextManager) => unknown;
} = { is_foreign: () => false, decorate: (func) => func };

/** `made` as a function that decorates. Its members are those of the context; what a method assigns stays with the function. */
function decorating(made: object, recreate: () => AbstractContextManager): AbstractContextManager {
  const decorate = (func: (...args: unknown[]) => unknown): unknown => {
    if (typeof func !== "function") throw not_callable(func);
    (made as AbstractContextManager)._before_decorating();
    if (decorators.is_foreign(func)) return decorators.decorate(func, recreate);
    return function (this: unknown, ...args: unknown[]): unknown {
      return call_inside(recreate(), () => func.apply(this, args));
    };
  };
  // A function's own `name` and `length` would hide members with these names.
  delete (decorate as { name?: string }).name;
  delete (decorate as { length?: number }).length;
  return Object.setPrototypeOf(decorate, made) as AbstractContextManager;
}

/** Removes the body from the arguments: a last argument that is a function, unless its parameter is annotated `Callable`. */
function take_body(signature: Signature, args: unknown[]): Body<unknown> | null {
  const at = args.length - 1;
  if (at < 0 || typeof args[at] !== "function" || decorators.is_foreign(args[at])) return null;
  const behind_keywords = at > 0 && isDict(args[at - 1]);
  if (signature.parameters[at]?.annotation === "Callable" && !behind_keywords) return null;
  return args.pop() as Body<unknown>;
}

/** The function that creates context managers of the class `cls`, whose constructor has Python's signature `text`. */
export function def_context<const Text extends string, T extends unknown[]>(
  text: Text,
  cls: new (...bound: T) => AbstractContextManager,
): ContextManager<Args<Text, T>> {
  const signature = new Signature(text);
  const decorates = text.includes(".__new__("); // its `__new__` decorates a function instead of making a context
  // Not an arrow function: in Python this is a class, so `new torch.no_grad()` must work.
  const context = function (...args: unknown[]): unknown {
    const body = take_body(signature, args);
    const bound = signature.bind(args) as T;
    if (decorates && decorators.is_foreign(bound[0]))
      return decorators.decorate(bound[0], () => new cls(...(signature.bind([]) as T)));
    const made = new cls(...bound);
    return body === null ? decorating(made, () => new cls(...bound)) : call_inside(made, body);
  };
  context.prototype = cls.prototype;
  extensible(context, cls as never, signature);
  const [name] = text.split(/[.(]/);
  return dress(context, signature, name) as unknown as ContextManager<Args<Text, T>>;
}

/**
 * Lets a program's class derive from `context`, which makes objects of `cls`: its object is there, and decorates, before `super().__init__(mode)` runs the constructor on it.
 * Each call of a decorated function makes a new object of the class without arguments, as `_DecoratorContextManager.clone` does.
 */
function extensible(context: object, cls: new (...bound: never[]) => object, signature: Signature): void {
  const statics: PropertyDescriptorMap = {
    [ALLOCATE]: {
      value: (prototype: { readonly constructor: unknown }): object =>
        decorating(prototype, () => new (prototype.constructor as new () => AbstractContextManager)()),
    },
    [INITIALIZE]: {
      value: (self: object, args: readonly unknown[]): void =>
        run_constructor(self, cls as new () => object, signature.bind([...args])),
    },
  };
  for (const one of [context, cls]) Object.defineProperties(one, statics); // a program meets either of them
}

/** Lets methods that create context managers take a body: `op.set_kernel_enabled("cpu", false, () => ...)`. */
export function take_bodies(cls: { readonly prototype: object }, ...names: string[]): void {
  const prototype = cls.prototype as Record<string, (...args: unknown[]) => AbstractContextManager>;
  for (const name of names) {
    const method = prototype[name];
    const signature = signature_of(method) as Signature;
    const context = function (this: unknown, ...args: unknown[]): unknown {
      const body = take_body(signature, args);
      const made = method.apply(this, args);
      return body === null ? made : call_inside(made, body);
    };
    Object.defineProperty(prototype, name, {
      value: dress(context, signature, name),
      writable: true,
      configurable: true,
    });
  }
}

/** Python's error for `no_grad(5)`, where 5 is taken as the function to decorate. */
export function not_callable(orig_func: unknown): TypeError_ {
  return new TypeError_(`'${type_name(orig_func)}' object is not callable`);
}
