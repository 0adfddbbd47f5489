/**
 * @file Access to the tensors of a module by dotted names: reading them, and swapping them for other tensors, which need not be parameters.
 * @mirrors torch/nn/utils/_named_member_accessor.py
 */
import { AttributeError, KeyError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { refuse_other_copies, repr, with_method } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { hasattr } from "#torch/nn/modules/module/attributes";
import { Module } from "#torch/nn/modules/module/index";

/** Stands for the value of a name that does not exist. */
export const _MISSING = Symbol("_MISSING");

/** The value of a name: no value at all, None, or a tensor. */
export type Member = Tensor | null | typeof _MISSING;

function check_tensor(tensor: unknown, what = ""): void {
  refuse_other_copies(tensor);
  if (tensor !== null && !(tensor instanceof Tensor))
    throw new TypeError_(`${what}${String(tensor)} is not an instance of torch.Tensor`);
}

/** Replaces the member `name` (one name, not a path) by `tensor` and returns the old value. */
export function swap_tensor(module: Module, name: string, tensor: Member, allow_missing = false): Member {
  if (!(module instanceof Module)) throw new TypeError_(`${String(module)} is not an instance of torch.nn.Module`);
  if (tensor !== _MISSING) check_tensor(tensor);
  if (name.includes(".")) throw new KeyError('tensor name can\'t contain "."');
  if (name === "") throw new KeyError('tensor name can\'t be empty string ""');
  for (const members of [module._parameters as Map<string, Tensor | null>, module._buffers]) {
    const original = members.get(name);
    if (original === undefined) continue;
    if (tensor === _MISSING) members.delete(name);
    else members.set(name, tensor);
    return original;
  }
  const there = hasattr(module, name);
  if (!there && !allow_missing) throw new AttributeError(`${module._get_name()} has no attribute \`${name}\``);
  const original = there ? (module as unknown as Record<string, Tensor | null>)[name] : _MISSING;
  if (original !== _MISSING) check_tensor(original, `attribute \`${name}\`: `);
  if (tensor !== _MISSING) module.__setattr__(name, tensor);
  else if (there) module.__delattr__(name);
  return original;
}

/** `"a.b.weight"` -> `"a.b"`, `"weight"` */
function rpartition(path: string): [prefix: string, attr: string] {
  const dot = path.lastIndexOf(".");
  return dot === -1 ? ["", path] : [path.slice(0, dot), path.slice(dot + 1)];
}

export class NamedMemberAccessor {
  readonly module: Module;
  private readonly memo = new Map<string, Module>();

  constructor(module: Module) {
    this.module = module;
  }

  get_submodule(name: string): Module {
    if (name === "") return this.module;
    const known = this.memo.get(name);
    if (known !== undefined) return known;
    const [prefix, attr] = rpartition(name);
    const module = this.get_submodule(prefix);
    if (!hasattr(module, attr)) throw new AttributeError(`${module._get_name()} has no attribute \`${attr}\``);
    const submodule = (module as unknown as Record<string, unknown>)[attr];
    if (!(submodule instanceof Module))
      throw new TypeError_(`submodule \`${name}\`: ${String(submodule)} is not an instance of torch.nn.Module`);
    this.memo.set(name, submodule);
    return submodule;
  }

  swap_tensor(name: string, value: Member, allow_missing = false): Member {
    const [prefix, attr] = rpartition(name);
    return swap_tensor(this.get_submodule(prefix), attr, value, allow_missing);
  }

  /** Swaps all tensors, or none if one fails. @returns the old values, and the names that did not exist */
  swap_tensors_dict(
    named_tensors: ReadonlyMap<string, Member>,
    allow_missing = false,
  ): [orig_named_tensors: Map<string, Member>, missing_keys: string[]] {
    const orig_named_tensors = new Map<string, Member>();
    const put_back = () => {
      for (const [name, original] of orig_named_tensors) this.swap_tensor(name, original, true);
    };
    const missing_keys: string[] = [];
    try {
      for (const [name, tensor] of named_tensors) {
        const original = this.swap_tensor(name, tensor, true);
        if (original === _MISSING) missing_keys.push(name);
        orig_named_tensors.set(name, original);
      }
    } catch (error) {
      put_back();
      throw error;
    }
    if (missing_keys.length > 0 && !allow_missing) {
      put_back();
      throw new RuntimeError(`Missing key(s): ${missing_keys.map(repr).join(", ")}.`);
    }
    return [orig_named_tensors, missing_keys];
  }

  check_keys(keys: Iterable<string>): [missing_keys: string[], unexpected_keys: string[]] {
    const given = new Set(keys);
    const valid = new Set([...this.named_tensors(false)].map(([name]) => name));
    const without = (a: Set<string>, b: Set<string>) => [...a].filter((key) => !b.has(key)).sort();
    return [without(valid, given), without(given, valid)];
  }

  *named_tensors(remove_duplicate: boolean): IterableIterator<[string, Tensor]> {
    yield* with_method(this.module, "named_parameters").named_parameters({ remove_duplicate });
    yield* this.module.named_buffers({ remove_duplicate });
  }
}
