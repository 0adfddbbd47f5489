/**
 * @file A scope in which tensors that a graph has saved may change in place: the graph then gets a copy of what they were.
 * @mirrors torch/autograd/graph.py#allow_mutation_on_saved_tensors
 * @differs The context that `__enter__` returns cannot count what it holds. An output counts as changed whatever its name; PyTorch raises
 * a KeyError if it is not `out`.
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { _pop_saved_tensors_default_hooks, _push_saved_tensors_default_hooks, AbstractContextManager } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { def_context } from "#torch/utils/_contextlib";
import { TorchDispatchMode } from "#torch/utils/_python_dispatch";

// Note [Copied before it changes]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// In the graph a handle stands for each tensor that forward saves. The context knows the handles, by weak references, under where the
// tensor's data begin and which version of them it is. A mode sees every operator's call, and its schema says which arguments it
// writes to: whoever has saved one of these, or another tensor of the same data, gets a copy first.

/** Stands in the graph for a saved tensor. */
class _Handle {
  /** The tensor, or the copy of what it was; null outside of the context. */
  tensor: Tensor | null;
  cloned = false;

  constructor(tensor: Tensor) {
    this.tensor = tensor;
  }
}

function _get_sid(tensor: Tensor): string {
  return `${tensor.data_ptr()} at version ${tensor._version}`;
}

class _AllowMutationOnSavedContext {
  private readonly sid_to_weakhandles = new Map<string, WeakRef<_Handle>[]>();

  /** Those that a graph still holds. */
  private handles(sid: string): _Handle[] {
    return (this.sid_to_weakhandles.get(sid) ?? []).flatMap((weak) => weak.deref() ?? []);
  }

  /** The handle of a tensor that is saved; one that is saved twice has one. */
  save(tensor: Tensor): _Handle {
    const sid = _get_sid(tensor);
    const known = this.handles(sid).find((handle) => handle.tensor === tensor);
    if (known !== undefined) return known;
    const handle = new _Handle(tensor);
    const weakhandles = this.sid_to_weakhandles.get(sid) ?? [];
    this.sid_to_weakhandles.set(sid, weakhandles);
    weakhandles.push(new WeakRef(handle));
    return handle;
  }

  /** `tensor` is about to change. */
  maybe_clone(tensor: Tensor): void {
    for (const handle of this.handles(_get_sid(tensor))) {
      if (handle.cloned || handle.tensor === null) continue;
      handle.tensor = handle.tensor.clone();
      handle.cloned = true;
    }
  }

  clear(): void {
    for (const sid of this.sid_to_weakhandles.keys()) for (const handle of this.handles(sid)) handle.tensor = null;
    this.sid_to_weakhandles.clear();
  }
}

let _allow_mutation_on_saved_tensors_enabled = false;

function unpack_hook({ tensor }: _Handle): Tensor {
  if (!_allow_mutation_on_saved_tensors_enabled || tensor === null) {
    throw new AssertionError(
      "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context" +
        "in which the graph was originally recorded.",
    );
  }
  return tensor;
}

class _CloneArgBeforeMutateMode extends TorchDispatchMode {
  private readonly ctx: _AllowMutationOnSavedContext;

  constructor(ctx: _AllowMutationOnSavedContext) {
    super();
    this.ctx = ctx;
  }

  override __torch_dispatch__(func: OpOverload, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
    for (const [idx, { name, alias_info, is_out }] of func._schema.arguments.entries()) {
      if (alias_info === null || !alias_info.is_write) continue;
      const written = is_out ? (kwargs as Record<string, unknown>)[name] : args[idx];
      for (const t of Array.isArray(written) ? written : [written]) if (t instanceof Tensor) this.ctx.maybe_clone(t);
    }
    return func(...args, kwargs);
  }
}

/**
 * Inside, a tensor that is saved for backward may be changed in place: it is copied before. Forward and backward must both be inside.
 * @throws {RuntimeError} if one of these stands inside another
 */
export const allow_mutation_on_saved_tensors = def_context(
  "allow_mutation_on_saved_tensors()",
  class allow_mutation_on_saved_tensors extends AbstractContextManager {
    private readonly ctx = new _AllowMutationOnSavedContext();
    private readonly mode = new _CloneArgBeforeMutateMode(this.ctx);

    override __enter__(): _AllowMutationOnSavedContext {
      _push_saved_tensors_default_hooks((tensor: Tensor) => this.ctx.save(tensor), unpack_hook);
      this.mode.__enter__();
      if (_allow_mutation_on_saved_tensors_enabled) {
        this.__exit__();
        throw new RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested");
      }
      _allow_mutation_on_saved_tensors_enabled = true;
      return this.ctx;
    }

    override __exit__(): void {
      this.ctx.clear();
      _allow_mutation_on_saved_tensors_enabled = false;
      this.mode.__exit__();
      _pop_saved_tensors_default_hooks();
    }
  },
);
