/**
 * @file Hooks that are objects: an object with `__call__` can be registered, and later found by its class.
 * @original Python calls any object that has `__call__`; here the object is a function whose prototype is the class's, like a module.
 */

import { AttributeError } from "#c10/util/Exception";
import { ALLOCATE, Allocated } from "#python/Objects/allocated";
import { python_type } from "#torch/_C";
import { is_module } from "#torch/nn/modules/module/attributes";
import type { Module } from "#torch/nn/modules/module/index";

export interface CallableHook {
  // biome-ignore lint/style/useShorthandFunctionType: it is merged with the class below and adds the call
  (module: Module, inputs: unknown): void;
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: see above
export abstract class CallableHook extends Allocated {
  static override [ALLOCATE](prototype: object): CallableHook {
    const self = ((module: Module, inputs: unknown): void => self.__call__(module, inputs)) as CallableHook;
    // A function's own `name` and `length` would shadow fields of those names.
    delete (self as { name?: unknown }).name;
    delete (self as { length?: unknown }).length;
    return Object.setPrototypeOf(self, prototype) as CallableHook;
  }

  constructor() {
    super();
    const waiting = typeof this === "function"; // an object that is only now constructed; see allocated.ts
    const self = waiting ? this : (CallableHook[ALLOCATE](new.target.prototype) as this);
    // biome-ignore lint/correctness/noConstructorReturn: see the head of this file
    return self;
  }

  abstract __call__(module: Module, inputs: unknown): void;
}

type HookClass<H extends CallableHook> = (abstract new (...args: never[]) => H) & { readonly prototype: H };

/** The forward pre-hooks of a module that are instances of `cls`, with the ids under which they are registered. */
export function forward_pre_hooks_of<H extends CallableHook>(
  module: Module,
  cls: HookClass<H>,
): [id: number, hook: H][] {
  if (!is_module(module))
    throw new AttributeError(`'${python_type(module)}' object has no attribute '_forward_pre_hooks'`);
  const found: [number, H][] = [];
  for (const [id, { hook }] of module._forward_pre_hooks) if (hook instanceof cls) found.push([id, hook]);
  return found;
}
