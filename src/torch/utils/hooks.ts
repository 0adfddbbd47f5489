/**
 * @file Handles that remove registered hooks, and the backward hooks of modules.
 * @mirrors torch/utils/hooks.py
 */

import { RuntimeError } from "#c10/util/Exception";
import { PyTuple, tuple, tuple_map } from "#python/Objects/tupleobject";
import { TensorBase } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

/** Hooks in the order of registration, by handle id. */
// biome-ignore lint/suspicious/noExplicitAny: the owner of a hook chooses its type
export type HooksDict<F = any> = Map<number, F>;

export class RemovableHandle {
  private static next_id = 0;
  /** The key of the hook in its dictionary; ids are unique over all dictionaries. */
  readonly id: number;
  private readonly hooks_dict: HooksDict;
  private readonly extra_dicts: readonly { delete(id: number): boolean }[];

  constructor(hooks_dict: HooksDict, ...extra_dicts: { delete(id: number): boolean }[]) {
    this.hooks_dict = hooks_dict;
    this.extra_dicts = extra_dicts;
    this.id = RemovableHandle.next_id++;
  }

  /** Removes the hook; a second call does nothing. */
  remove(): void {
    this.hooks_dict.delete(this.id);
    for (const dict of this.extra_dicts) dict.delete(this.id);
  }

  /** The dictionary that holds the hook; a function, because PyTorch keeps a weak reference. */
  hooks_dict_ref(): HooksDict {
    return this.hooks_dict;
  }

  __enter__(): this {
    return this;
  }

  __exit__(..._error: unknown[]): void {
    this.remove();
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}

type BackwardUserHook = (...args: unknown[]) => unknown;
/** The part of a node's interface that a handle needs. */
interface HookableNode {
  name(): string;
  register_hook(hook: (grad_inputs: (Tensor | null)[], grad_outputs: (Tensor | null)[]) => unknown): unknown;
  register_prehook(hook: (grad_outputs: (Tensor | null)[]) => unknown): unknown;
}

/**
 * The backward hooks of a module. The inputs and the outputs each pass through an identity node; the hooks are registered on these two
 * nodes, so they see exactly the gradients of this call.
 */
export class BackwardHook {
  private readonly module: unknown;
  private readonly user_hooks: readonly BackwardUserHook[];
  private readonly user_pre_hooks: readonly BackwardUserHook[];
  private grad_outputs: (Tensor | null)[] | null = null;
  private n_inputs = 0;
  private n_outputs = 0;
  private input_tensors_index: number[] | null = null;
  private output_tensors_index: number[] | null = null;

  constructor(module: unknown, user_hooks: readonly BackwardUserHook[], user_pre_hooks: readonly BackwardUserHook[]) {
    this.module = module;
    this.user_hooks = user_hooks;
    this.user_pre_hooks = user_pre_hooks;
  }

  setup_input_hook(args: unknown[]): unknown[] {
    const [res, input_idx] = apply_on_tensors((grad_fn) => this.set_user_hook(grad_fn), args);
    this.n_inputs = args.length;
    this.input_tensors_index = input_idx;
    return res;
  }

  setup_output_hook(result: unknown): unknown {
    const is_tuple = Array.isArray(result);
    const args: unknown[] = is_tuple ? result : [result];
    const [res, output_idx] = apply_on_tensors(
      (grad_fn) => grad_fn.register_prehook((grad_output) => this.on_grad_output(grad_output)),
      args,
    );
    this.n_outputs = args.length;
    this.output_tensors_index = output_idx;
    return is_tuple ? (res instanceof PyTuple ? res : tuple(res)) : res[0];
  }

  private set_user_hook(grad_fn: HookableNode): void {
    grad_fn.register_hook((grad_input) => {
      if (this.grad_outputs === null) return undefined; // the outputs received no gradient
      let res = pack_with_none(this.input_tensors_index ?? [], grad_input, this.n_inputs);
      for (const hook of this.user_hooks) {
        const out = hook(this.module, res, this.grad_outputs);
        if (out === null || out === undefined) continue;
        const replaced = (Array.isArray(out) ? out : [out]) as (Tensor | null)[];
        if (replaced.length !== res.length) {
          throw new RuntimeError(
            `Backward hook returned an invalid number of grad_input, got ${replaced.length}, but expected ${res.length}`,
          );
        }
        res = replaced;
      }
      this.grad_outputs = null;
      return tuple_map(this.input_tensors_index ?? [], (i) => res[i] ?? null);
    });
  }

  private on_grad_output(grad_output: (Tensor | null)[]): unknown {
    const index = this.output_tensors_index ?? [];
    this.grad_outputs = pack_with_none(index, grad_output, this.n_outputs);
    for (const user_pre_hook of this.user_pre_hooks) {
      const expected_len = this.grad_outputs.length;
      const out = user_pre_hook(this.module, this.grad_outputs);
      if (out === null || out === undefined) continue;
      const replaced = (Array.isArray(out) ? out : [out]) as (Tensor | null)[];
      if (replaced.length !== expected_len) {
        throw new RuntimeError(
          `Backward pre hook returned an invalid number of grad_output, got ${replaced.length}, but expected ${expected_len}`,
        );
      }
      this.grad_outputs = replaced;
    }
    const local_grad_outputs = this.grad_outputs;
    if (this.input_tensors_index === null) {
      // No input requires a gradient, so there is no input node; the hooks run here.
      for (const hook of this.user_hooks) {
        const res = hook(this.module, tuple(new Array(this.n_inputs).fill(null)), this.grad_outputs);
        if (Array.isArray(res) ? res.some((g) => g !== null) : res !== null && res !== undefined) {
          throw new RuntimeError(
            "Backward hook for Modules where no input requires gradient should always return None or None for all gradients.",
          );
        }
      }
      this.grad_outputs = null;
    }
    return index.map((i) => local_grad_outputs[i] ?? null);
  }
}

function pack_with_none(
  indices: readonly number[],
  values: readonly (Tensor | null)[],
  size: number,
): (Tensor | null)[] {
  const res = tuple(new Array<Tensor | null>(size).fill(null));
  indices.forEach((idx, i) => {
    res[idx] = values[i] ?? null;
  });
  return res;
}

function apply_on_tensors(fn: (grad_fn: HookableNode) => void, args: unknown[]): [unknown[], number[] | null] {
  const index: number[] = [];
  const tensors: Tensor[] = [];
  args.forEach((arg, i) => {
    if (!(arg instanceof TensorBase)) return;
    index.push(i);
    tensors.push(arg as Tensor);
  });
  if (!tensors.some((t) => t.requires_grad) || !torch.is_grad_enabled()) return [args, null];
  const new_tensors = backward_hook_function().apply(...tensors);
  const outputs = (Array.isArray(new_tensors) ? new_tensors : [new_tensors]) as Tensor[];
  const grad_fn = outputs.find((t) => t.grad_fn !== null)?.grad_fn as HookableNode | undefined;
  if (grad_fn === undefined)
    throw new RuntimeError("Error while setting up backward hooks: returned NULL without setting an error.");
  fn(grad_fn);
  // A named tuple stays one.
  const arg_list = Object.setPrototypeOf(args.slice(), Object.getPrototypeOf(args) as object) as unknown[];
  index.forEach((idx, i) => {
    arg_list[idx] = outputs[i];
  });
  return [arg_list, index];
}

interface FunctionType {
  apply(...args: unknown[]): unknown;
}

let BackwardHookFunction: FunctionType | null = null;

/** The identity function whose nodes carry the hooks. Created at first use, because `torch.autograd` is loaded after this file. */
function backward_hook_function(): FunctionType {
  if (BackwardHookFunction !== null) return BackwardHookFunction;
  // biome-ignore lint/suspicious/noExplicitAny: the base class is known only at run time
  const Function_ = (torch as any).autograd.Function;
  BackwardHookFunction = class BackwardHookFunction extends Function_ {
    static forward(ctx: { mark_non_differentiable(...tensors: Tensor[]): void }, ...args: Tensor[]): Tensor[] {
      ctx.mark_non_differentiable(...args.filter((arg) => !arg.requires_grad));
      return args;
    }

    static backward(_ctx: unknown, ...args: (Tensor | null)[]): (Tensor | null)[] {
      return args;
    }
  } as unknown as FunctionType;
  return BackwardHookFunction;
}
