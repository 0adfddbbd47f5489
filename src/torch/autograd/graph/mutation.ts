/**
 * @file A context in which saved tensors may be changed in place: the graph then gets a copy of the old value.
 * @mirrors torch/autograd/graph.py#allow_mutation_on_saved_tensors
 * @differs Our context object cannot count its handles, and an output counts as changed under any name; PyTorch counts handles, and raises
 * a KeyError if the output is not named `out`.
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { _pop_saved_tensors_default_hooks, _push_saved_tensors_default_hooks, AbstractContextManager } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { def_context } from "#torch/utils/_contextlib";
import { TorchDispatchMode } from "#torch/utils/_python_dispatch";

// Note [Copied before it changes]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The graph holds a handle in place of each tensor that forward saves. The context finds the handles (through weak references) by the
// address of the tensor's data and its version. A mode sees every operator call, and the schema tells which arguments the operator changes.
// Before the call, each handle to such an argument, or to another tensor with the same data, gets a copy.

/** The object in the graph that stands for a saved tensor. */
class _Handle {
  /** The tensor, or a copy of its old value; null after the context has ended. */
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

  /** The handles that a graph still holds. */
  private handles(sid: string): _Handle[] {
    return (this.sid_to_weakhandles.get(sid) ?? []).flatMap((weak) => weak.deref() ?? []);
  }

  /** The handle of a saved tensor; a tensor that is saved twice has one handle. */
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

  /** Copies `tensor` for its handles; it is called before a change. */
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
 * Inside this context, a tensor that is saved for backward may be changed in place, because it is copied first. Forward and backward must
 * both be inside.
 * @throws {RuntimeError} if two of these contexts are nested
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
