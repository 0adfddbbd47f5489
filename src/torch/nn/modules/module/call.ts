/**
 * @file The call `module(...)`: `forward`, and around it the hooks of all modules and of this one.
 * @mirrors torch/nn/modules/module.py
 */
import { RuntimeError, warn } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { tuple } from "#python/Objects/tupleobject";
import { recorder } from "#torch/_C";
import { def, split_keywords } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { type_repr } from "#torch/_utils/index";
import { BackwardHook, RemovableHandle } from "#torch/utils/hooks";
import { call_on_node } from "./backward_hook.ts";
import type { Module } from "./index.ts";
import { type Hook, type HookMap, STATE } from "./state.ts";

const _global_forward_pre_hooks: HookMap = new Map();
const _global_forward_hooks: HookMap = new Map();
const _global_backward_pre_hooks: HookMap = new Map();
const _global_backward_hooks: HookMap = new Map();
/** The kind of the backward hooks for all modules; null before the first one. */
let _global_is_full_backward_hook: boolean | null = null;

/** Hooks of all modules by PyTorch's names. */
export const global_hooks = {
  _global_forward_pre_hooks,
  _global_forward_hooks,
  _global_backward_pre_hooks,
  _global_backward_hooks,
} as const;

/** The kind of the backward hooks of all modules; setting it is for programs that take all hooks away. */
export const global_is_full_backward_hook = {
  get: (): boolean | null => _global_is_full_backward_hook,
  set: (value: boolean | null): void => {
    _global_is_full_backward_hook = value;
  },
};

export function add_hook(
  hooks: HookMap,
  hook: Hook,
  with_kwargs = false,
  prepend = false,
  always_call = false,
): RemovableHandle {
  const handle = new RemovableHandle(hooks);
  const entry = { hook, with_kwargs, always_call };
  if (prepend) {
    const others = [...hooks];
    hooks.clear();
    hooks.set(handle.id, entry);
    for (const [id, other] of others) hooks.set(id, other);
  } else {
    hooks.set(handle.id, entry);
  }
  return handle;
}

/** Registers a hook that is called before the forward of every module. */
export const register_module_forward_pre_hook = def(
  "register_module_forward_pre_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_forward_pre_hooks, hook),
);

/** Registers a hook that is called after the forward of every module. */
export const register_module_forward_hook = def(
  "register_module_forward_hook(hook, *, with_kwargs=False, always_call=False)",
  (hook: Hook, with_kwargs: boolean, always_call: boolean): RemovableHandle =>
    add_hook(_global_forward_hooks, hook, with_kwargs, false, always_call),
);

/** Registers a hook that is called with the gradients of every module's outputs, before those of its inputs are computed. */
export const register_module_full_backward_pre_hook = def(
  "register_module_full_backward_pre_hook(hook)",
  (hook: Hook): RemovableHandle => add_hook(_global_backward_pre_hooks, hook),
);

/** Registers a hook that is called with the gradients of every module's inputs and outputs. */
export const register_module_full_backward_hook = def(
  "register_module_full_backward_hook(hook)",
  (hook: Hook): RemovableHandle => add_global_backward_hook(hook, true),
);

/** Registers a hook of the old kind: it is called with the gradients at the last node of every module's forward. */
export const register_module_backward_hook = def(
  "register_module_backward_hook(hook)",
  (hook: Hook): RemovableHandle => add_global_backward_hook(hook, false),
);

function add_global_backward_hook(hook: Hook, full: boolean): RemovableHandle {
  check_one_kind(_global_is_full_backward_hook, full, "as a global Module hook");
  _global_is_full_backward_hook = full;
  return add_hook(_global_backward_hooks, hook);
}

/** Refuses a mix of full backward hooks and hooks of the old kind. */
export function check_one_kind(present: boolean | null, full: boolean, where: string): void {
  if (present === !full)
    throw new RuntimeError(
      `Cannot use both regular backward hooks and full backward hooks ${where}. Please use only one of them.`,
    );
}

/** The backward hooks of one kind for this call: first those of all modules, then the module's own. */
function backward_hooks(self: Module, full: boolean): Hook[] {
  const hooks: Hook[] = [];
  if (_global_is_full_backward_hook === full) for (const { hook } of _global_backward_hooks.values()) hooks.push(hook);
  const s = self[STATE];
  if (s.is_full_backward_hook === full) for (const { hook } of s.backward_hooks.values()) hooks.push(hook);
  return hooks;
}

type CallHook = (self: Module, args: unknown[]) => unknown;
let call_hook: CallHook | null = null;

/** Sees every call of a module in place of `_call_impl`, as a program that replaces `Module.__call__` does in Python; gives the hook before. */
export function replace_module_call(hook: CallHook | null): CallHook | null {
  const before = call_hook;
  call_hook = hook;
  return before;
}

/** The implementation of `module(...)`: it records the call. In PyTorch it also checks whether `compile()` replaced `_call_impl`. */
export function _wrapped_call_impl<A extends unknown[], R>(self: Module<A, R>, args: A): R {
  if (call_hook !== null) return call_hook(self, args) as R;
  if (tracer !== null) {
    const name = "torch.nn.modules.module.Module._call_impl";
    return traceCall("python", name, _call_impl<A, R>, [self, args], { inputs: args, module: self._get_name() });
  }
  return _call_impl(self, args);
}

/** Calls `forward` with the hooks around it; without hooks, only `forward`. */
export function _call_impl<A extends unknown[], R>(self: Module<A, R>, args: A): R {
  const s = self[STATE];
  if (
    s.backward_hooks.size === 0 &&
    s.backward_pre_hooks.size === 0 &&
    s.forward_hooks.size === 0 &&
    s.forward_pre_hooks.size === 0 &&
    _global_forward_pre_hooks.size === 0 &&
    _global_forward_hooks.size === 0 &&
    _global_backward_hooks.size === 0 &&
    _global_backward_pre_hooks.size === 0
  ) {
    if (tracer !== null) return traceCall("python", forward_name(self), forward_of(self), args) as R;
    return (recorder === null ? self.forward(...args) : traced_forward(self, args)) as R;
  }
  return call_with_hooks(self, args) as R;
}

type Forward = (...args: unknown[]) => unknown;

/** `forward` with its module. A script's method is callable and has no `bind` of its own. */
function bound_forward(self: Module): Forward {
  return Function.prototype.bind.call(self.forward, self) as Forward;
}

/** `_slow_forward`: while a program is traced, the call has the scope of its module. */
function traced_forward(self: Module, args: unknown[]): unknown {
  const forward = bound_forward(self);
  return recorder === null ? forward(...args) : recorder.slow_forward(self, forward, args);
}

function forward_of(self: Module): Forward {
  return recorder === null ? bound_forward(self) : (...args) => traced_forward(self, args);
}

/** The qualified name of `forward` as Python gives it, with the class that defines it: `_BatchNorm.forward` for a BatchNorm2d. */
function forward_name(self: Module): string {
  if (Object.hasOwn(self, "forward")) return `${self._get_name()}.forward`;
  let owner = Object.getPrototypeOf(self) as Module;
  while (!Object.hasOwn(owner, "forward")) owner = Object.getPrototypeOf(owner) as Module;
  return `${owner.constructor.name}.forward`;
}

function call_with_hooks(self: Module, given: unknown[]): unknown {
  const s = self[STATE];
  let args = given;
  const called = new Set<number>();
  let result: unknown;
  try {
    const full_backward_hooks = backward_hooks(self, true);
    const non_full_backward_hooks = backward_hooks(self, false);
    const backward_pre_hooks = [..._global_backward_pre_hooks.values(), ...s.backward_pre_hooks.values()].map(
      (entry) => entry.hook,
    );
    for (const { hook, with_kwargs } of [..._global_forward_pre_hooks.values(), ...s.forward_pre_hooks.values()]) {
      if (with_kwargs) {
        const [positional, kwargs] = split_keywords(args);
        const replaced = hook(self, tuple(positional), kwargs);
        if (replaced === null || replaced === undefined) continue;
        if (!Array.isArray(replaced) || replaced.length !== 2) {
          throw new RuntimeError(
            `forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got ${String(replaced)}.`,
          );
        }
        args = Object.keys(replaced[1] as object).length > 0 ? [...replaced[0], replaced[1]] : [...replaced[0]];
      } else {
        const replaced = hook(self, tuple(split_keywords(args)[0]));
        if (replaced !== null && replaced !== undefined) args = Array.isArray(replaced) ? replaced : [replaced];
      }
    }
    let bw_hook: BackwardHook | null = null;
    if (full_backward_hooks.length > 0 || backward_pre_hooks.length > 0) {
      bw_hook = new BackwardHook(self, full_backward_hooks, backward_pre_hooks);
      args = bw_hook.setup_input_hook(args);
    }
    if (tracer !== null) result = traceCall("python", forward_name(self), forward_of(self), args);
    else result = recorder === null ? self.forward(...args) : traced_forward(self, args);
    for (const [id, { hook, with_kwargs }] of [..._global_forward_hooks, ...s.forward_hooks]) {
      called.add(id);
      result = call_forward_hook(self, hook, with_kwargs, args, result);
    }
    if (bw_hook !== null) {
      if (!(result instanceof Tensor) && !Array.isArray(result))
        warn(
          "UserWarning",
          `For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received ${type_repr(result, "class")}`,
        );
      result = bw_hook.setup_output_hook(result);
    }
    if (non_full_backward_hooks.length > 0)
      call_on_node(self, non_full_backward_hooks, split_keywords(args)[0], result);
    return result;
  } catch (error) {
    // Hooks registered with `always_call` run even if the call fails; an error of their own does not replace the first one.
    for (const hooks of [_global_forward_hooks, s.forward_hooks]) {
      for (const [id, { hook, with_kwargs, always_call }] of hooks) {
        if (!always_call || called.has(id)) continue;
        const global = hooks === _global_forward_hooks; // these hooks receive no keyword arguments here
        try {
          result = call_forward_hook(self, hook, with_kwargs && !global, args, result ?? null);
        } catch (hook_error) {
          warn(
            "UserWarning",
            `${global ? "global " : ""}module forward hook with \`\`always_call=True\`\` raised an exception that was silenced as another error was raised in forward: ${(hook_error as Error).message}`,
          );
        }
      }
    }
    throw error;
  }
}

function call_forward_hook(self: Module, hook: Hook, with_kwargs: boolean, args: unknown[], result: unknown): unknown {
  const [positional, kwargs] = split_keywords(args);
  const inputs = tuple(positional);
  const replaced: unknown = with_kwargs ? hook(self, inputs, kwargs, result) : hook(self, inputs, result);
  return replaced === null || replaced === undefined ? result : replaced;
}
