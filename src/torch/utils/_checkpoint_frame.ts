/**
 * @file The state of a checkpointed region, which replaces its activations, and its two pairs of saved-tensor hooks: one records during
 * forward that a tensor would have been saved, the other collects the tensors when backward runs the region again.
 * @mirrors torch/utils/checkpoint.py
 * @see checkpoint.ts (how a region begins and ends)
 */
import { AssertionError, Exception, named, RuntimeError } from "#c10/util/Exception";
import {
  _current_graph_task_id,
  _get_graph_exec_group,
  _make_saved_tensor,
  type AbstractContextManager,
  repr,
  SavedTensor,
} from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { enable_grad, no_grad } from "#torch/autograd/grad_mode";
import { saved_tensors_hooks } from "#torch/autograd/graph/index";
import { size_repr } from "#torch/nn/_size";

// Note [Holders]
// ~~~~~~~~~~~~~~
// In the graph, a `_Holder` stands for each tensor that forward would have saved; the frame refers to the holders weakly, in order. When
// backward unpacks the first holder, the whole region runs again, and the n-th tensor that is saved then belongs to the n-th holder.
// Each holder returns its tensor once in a run of backward, so that activations are freed as backward proceeds. A holder whose node was
// released receives no tensor. In PyTorch it disappears at once; here it disappears at the next garbage collection.

/** The identity of a run: one backward, or all backwards inside one `GraphExecGroup`. */
type RunId = number | object;

/** The object in the graph that stands for a tensor. null: the tensor existed and was returned. */
class _Holder {
  readonly recomputed = new Map<RunId, Tensor | null>();
}

/** The error if a recomputation does not match the forward. */
export class CheckpointError extends RuntimeError {}
named(CheckpointError, "CheckpointError");

/** Raised inside the recomputation as soon as backward has all tensors that it needs. */
class _StopRecomputationError extends Exception {}

function _internal_assert(cond: boolean): asserts cond {
  if (cond) return;
  throw new AssertionError(
    "Something went unexpectedly wrong in activation checkpoint. Please report this bug by filing an issue to PyTorch.",
  );
}

const _debug_tip_msg = `
Tip: To see a more detailed error message, either pass \`debug=True\` to
\`torch.utils.checkpoint.checkpoint(...)\` or wrap the code block
with \`with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):\` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
`;

/** The properties that must be equal for a tensor and its recomputation, as text for messages. */
export type MetadataFn = (x: Tensor) => string;

/** The determinism checks by name. */
export const _allowed_determinism_checks_to_fns: Readonly<Record<string, MetadataFn>> = {
  default: (x) => `{'shape': ${size_repr(x)}, 'dtype': ${x.dtype}, 'device': ${repr(x.device)}}`,
  none: () => "None",
};

export class _CheckpointFrame {
  private readonly recompute_fn: (...args: unknown[]) => void;
  private readonly early_stop: boolean;
  private readonly metadata_fn: MetadataFn;
  private saved_args: unknown[] = [];
  private readonly weak_holders: WeakRef<_Holder>[] = [];
  private readonly x_metadatas: string[] = [];
  private readonly recomp_counter = new Map<RunId, number>();
  private readonly is_recomputed = new Set<RunId>();
  private forward_completed = false;
  private ignore_saved_mismatch = false;

  constructor(recompute_fn: (...args: unknown[]) => void, early_stop: boolean, metadata_fn: MetadataFn) {
    this.recompute_fn = recompute_fn;
    this.early_stop = early_stop;
    this.metadata_fn = metadata_fn;
  }

  /**
   * Saves the arguments of the region, and nothing else. The saved-tensor hooks outside the region apply, so an enclosing region sees them.
   */
  save_inputs(args: readonly unknown[]): void {
    this.saved_args = args.map((arg) => (arg instanceof Tensor ? _make_saved_tensor(arg, false) : arg));
  }

  /** Marks the end of forward: from now on a recomputation must not save more tensors than forward did. */
  complete_forward(): void {
    this.forward_completed = true;
  }

  /** The saved-tensor hooks during forward. */
  checkpoint_hook(): AbstractContextManager {
    const pack_hook = (x: Tensor): _Holder => {
      const holder = new _Holder();
      this.weak_holders.push(new WeakRef(holder));
      this.x_metadatas.push(no_grad(() => this.metadata_fn(x)));
      return holder;
    };
    return saved_tensors_hooks(pack_hook, (holder: _Holder) => this.unpack(holder));
  }

  /** The saved-tensor hooks during the recomputation. Tensors are packed unchanged, because backward may be called inside the region. */
  private recomputation_hook(gid: RunId): AbstractContextManager {
    return saved_tensors_hooks(
      (x: Tensor) => this.collect(x.requires_grad ? x.detach() : x, gid),
      (x: Tensor) => x,
    );
  }

  private collect(x: Tensor, gid: RunId): Tensor {
    const recomp_idx = this.recomp_counter.get(gid) ?? 0;
    this.recomp_counter.set(gid, recomp_idx + 1);
    if (recomp_idx >= this.weak_holders.length) {
      if (this.early_stop) throw new AssertionError("Unexpected state: target_frame.early_stop is set");
      if (!this.forward_completed) {
        // A backward inside the forward: tensors after it have not been saved yet, so the counts cannot agree.
        this.ignore_saved_mismatch = true;
        return x;
      }
      throw new CheckpointError(
        `torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass.\n${_debug_tip_msg}`,
      );
    }
    const holder = this.weak_holders[recomp_idx].deref();
    if (holder !== undefined) {
      _internal_assert((holder.recomputed.get(gid) ?? null) === null);
      holder.recomputed.set(gid, x);
    }
    if (this.early_stop && recomp_idx + 1 === this.weak_holders.length) throw new _StopRecomputationError();
    return x;
  }

  /** The tensor of a holder, for the node that saved it. */
  private unpack(holder: _Holder): Tensor {
    const gid = this.current_run();
    if (!this.is_recomputed.has(gid)) this.recompute(gid);
    const x = holder.recomputed.get(gid);
    _internal_assert(x !== undefined);
    if (x === null) {
      const overlap =
        _get_graph_exec_group() === null
          ? ""
          : "Performing two backward calls that overlap (i.e. require the same " +
            "saved activation in order to compute gradients) is not allowed while " +
            "under the torch.utils.checkpoint.GraphExecGroup context. ";
      throw new CheckpointError(
        "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already " +
          `unpacked once. ${overlap}If you are calling ctx.saved_tensors in backward, make sure ` +
          "to do so only once. Otherwise please open an issue with details on your use case.",
      );
    }
    holder.recomputed.set(gid, null);
    return x;
  }

  private current_run(): RunId {
    const id = _get_graph_exec_group() ?? _current_graph_task_id();
    return id === -1 ? {} : id; // outside of backward, each access is a run of its own
  }

  private recompute(gid: RunId): void {
    const args = this.saved_args.map((arg) => (arg instanceof SavedTensor ? arg.unpack() : arg));
    const hook = this.recomputation_hook(gid);
    hook.__enter__();
    try {
      enable_grad(() => this.recompute_fn(...args));
    } catch (error) {
      if (!(error instanceof _StopRecomputationError)) throw error;
    } finally {
      hook.__exit__();
    }
    this.is_recomputed.add(gid);
    this.check_recomputed_tensors_match(gid);
  }

  private check_recomputed_tensors_match(gid: RunId): void {
    if (this.ignore_saved_mismatch) return;
    const recomputed = this.recomp_counter.get(gid) ?? 0;
    if (this.weak_holders.length !== recomputed) {
      throw new CheckpointError(
        "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n" +
          `Number of tensors saved during forward: ${this.weak_holders.length}\n` +
          `Number of tensors saved during recomputation: ${recomputed}.\n${_debug_tip_msg}`,
      );
    }
    let different = "";
    for (const [idx, weak_holder] of this.weak_holders.entries()) {
      const holder = weak_holder.deref();
      if (holder === undefined) continue;
      const x = holder.recomputed.get(gid);
      _internal_assert(x !== undefined && x !== null);
      const [saved, now] = [this.x_metadatas[idx], this.metadata_fn(x)];
      if (saved === now) continue;
      different += `tensor at position ${idx}:\nsaved metadata: ${saved}\nrecomputed metadata: ${now}\n`;
    }
    if (different === "") return;
    throw new CheckpointError(
      "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.\n" +
        `${different}.\n${_debug_tip_msg}`,
    );
  }
}
