/**
 * @file Selective checkpoints: a policy decides for each operator in a region whether its result is stored or recomputed.
 * @mirrors torch/utils/checkpoint.py#create_selective_checkpoint_contexts
 * @differs In ours the members of `CheckpointPolicy` are plain numbers, and reading the sizes of a tensor is not an operator; in PyTorch
 * they are members of an `Enum`, and such operators are excluded from the policy.
 * @see checkpoint.ts (`context_fn` of `checkpoint` takes what is made here)
 */
import { RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { _dispatch_tls_is_dispatch_key_excluded, _dispatch_tls_set_dispatch_key_excluded, py_str } from "#torch/_C";
import { OpOverload, OpOverloadPacket, ops } from "#torch/_ops";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { type_repr } from "#torch/_utils/index";
import { TorchDispatchMode } from "./_python_dispatch.ts";

// Note [What forward keeps for the recomputation]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Two modes share a storage. The mode of forward asks the policy about each call, and stores its result or records that there is none.
// The mode of the recomputation counts calls: the n-th call of an operator gets the result of the n-th call in forward, or runs again.
// Each result is returned once: a second backward through the region would not find it.

const SelectiveCheckpointContext_init = new Init(
  "SelectiveCheckpointContext.__init__(self, *, is_recompute, op_output=None)",
  types<[is_recompute: boolean, op_output: unknown]>,
);

/** Information about a call for a policy, besides the operator and its arguments. */
export class SelectiveCheckpointContext {
  /** Always false here: the policy is asked only during forward. */
  readonly is_recompute: boolean;
  readonly op_output: unknown;

  static {
    def_methods(SelectiveCheckpointContext, { __init__: SelectiveCheckpointContext_init });
  }

  constructor(...args: InitArgs<typeof SelectiveCheckpointContext_init>) {
    [this.is_recompute, this.op_output] = SelectiveCheckpointContext_init.bind(args);
  }
}

/** Choices for the result of an operator. `PREFER_` lets a compiler decide otherwise; here both are equal. */
export const CheckpointPolicy = {
  MUST_SAVE: 0,
  PREFER_SAVE: 1,
  MUST_RECOMPUTE: 2,
  PREFER_RECOMPUTE: 3,
  MUST_CPU_OFFLOAD: 4,
  PREFER_CPU_OFFLOAD: 5,
} as const;
export type CheckpointPolicy = (typeof CheckpointPolicy)[keyof typeof CheckpointPolicy];

/** A policy: called after `op(...args)` has run; true saves, false recomputes. Keyword arguments come last, if there are any. */
export type PolicyFn = (
  ctx: SelectiveCheckpointContext,
  op: OpOverload,
  ...args: unknown[]
) => CheckpointPolicy | boolean;

/** Operators that no policy decides about, because forward and the recomputation call them different numbers of times. */
export const SAC_IGNORED_OPS: ReadonlySet<OpOverload> = new Set([ops.aten.detach.default]);

/** A stored result; it must not change before it is returned. */
class _VersionWrapper {
  private readonly val: unknown;
  private readonly version: number | null;

  constructor(val: unknown) {
    this.val = val;
    this.version = val instanceof Tensor ? val._version : null;
  }

  get_val(allow_cache_entry_mutation: boolean): unknown {
    const { val, version } = this;
    if (version !== null && !allow_cache_entry_mutation && (val as Tensor)._version !== version)
      throw new RuntimeError("Tensor cached during selective activation checkpoint has been mutated");
    return val;
  }
}

/**
 * A detached tensor, so that a view is returned without a graph. It shares the version counter of the original, so its key must see the
 * call.
 */
function _detach_helper(x: unknown): unknown {
  if (!(x instanceof Tensor)) return x;
  const excluded = _dispatch_tls_is_dispatch_key_excluded("ADInplaceOrView");
  _dispatch_tls_set_dispatch_key_excluded("ADInplaceOrView", false);
  try {
    return x.detach();
  } finally {
    _dispatch_tls_set_dispatch_key_excluded("ADInplaceOrView", excluded);
  }
}

/** Applies `fn` to a result, or to each of several results. */
function map_results(results: unknown, fn: (result: unknown) => unknown): unknown {
  return Array.isArray(results) ? results.map((result) => map_results(result, fn)) : fn(results);
}

const _RECOMPUTE = Symbol("recompute");
const _CONSUMED = Symbol("consumed");

/** By operator: the results of its calls, in order. */
type Storage = Map<OpOverload, unknown[]>;

/** The mode during forward. */
class _CachingTorchDispatchMode extends TorchDispatchMode {
  private readonly policy_fn: PolicyFn;
  private readonly storage: Storage;

  constructor(policy_fn: PolicyFn, storage: Storage) {
    super();
    this.policy_fn = policy_fn;
    this.storage = storage;
  }

  override __torch_dispatch__(func: OpOverload, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
    if (SAC_IGNORED_OPS.has(func)) return func(...args, kwargs);
    const out = func(...args, kwargs);
    const entries = this.storage.get(func) ?? [];
    this.storage.set(func, entries);
    const named = Object.keys(kwargs).length === 0 ? [] : [kwargs];
    const ctx = new SelectiveCheckpointContext({ is_recompute: false, op_output: out });
    const policy = this.policy_fn(ctx, func, ...args, ...named);
    const save = policy === true || policy === CheckpointPolicy.MUST_SAVE || policy === CheckpointPolicy.PREFER_SAVE;
    entries.push(save ? map_results(out, (x) => new _VersionWrapper(_detach_helper(x))) : _RECOMPUTE);
    return out;
  }
}

const _SAC_MISMATCH_MSG =
  "This can happen if the operations in the checkpointed region are " +
  "nondeterministic or depend on global state that changed between " +
  "forward and backward.";

/** The mode during the recomputation. */
class _CachedTorchDispatchMode extends TorchDispatchMode {
  private readonly storage: Storage;
  private readonly allow_cache_entry_mutation: boolean;
  private readonly func_counter = new Map<OpOverload, number>();

  constructor(storage: Storage, allow_cache_entry_mutation: boolean) {
    super();
    this.storage = storage;
    this.allow_cache_entry_mutation = allow_cache_entry_mutation;
  }

  override __enter__(): this {
    this.func_counter.clear();
    return super.__enter__();
  }

  override __torch_dispatch__(func: OpOverload, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
    if (SAC_IGNORED_OPS.has(func)) return func(...args, kwargs);
    const idx = this.func_counter.get(func) ?? 0;
    this.func_counter.set(func, idx + 1);
    const entries = this.storage.get(func);
    if (entries === undefined)
      throw new RuntimeError(`${func} encountered during backward but not found in storage. ${_SAC_MISMATCH_MSG}`);
    if (idx >= entries.length) {
      throw new RuntimeError(
        `${func} invocation index ${idx} encountered during backward but not found in storage. ${_SAC_MISMATCH_MSG}`,
      );
    }
    const entry = entries[idx];
    if (entry === _CONSUMED) {
      throw new RuntimeError(
        "Trying to backward an extra time. You are only allowed to backward once " +
          "on any region computed under selective activation checkpoint.",
      );
    }
    if (entry === _RECOMPUTE) return func(...args, kwargs);
    entries[idx] = _CONSUMED;
    return map_results(entry, (x) => (x as _VersionWrapper).get_val(this.allow_cache_entry_mutation));
  }
}

function policy_of_list(list: readonly unknown[]): PolicyFn {
  for (const op of list) {
    if (op instanceof OpOverload) continue;
    const packet = op instanceof OpOverloadPacket;
    const type = packet ? "<class 'torch._ops.OpOverloadPacket'>" : type_repr(op, "class");
    const extra_msg = packet
      ? "Please update the OpOverloadPacket to a specific OpOverload." +
        "For example, if you have `torch.ops.aten.mm`, change it to `torch.ops.aten.mm.default`."
      : "";
    throw new ValueError(
      `Expected op in \`op_list\` to be an OpOverload but got: ${py_str(op)} of type ${type}. ${extra_msg}`,
    );
  }
  return (_ctx, op) => (list.includes(op) ? CheckpointPolicy.MUST_SAVE : CheckpointPolicy.PREFER_RECOMPUTE);
}

/**
 * The two contexts that store the results of some operators in a region, for the argument `context_fn` of `checkpoint`.
 * @param policy_fn_or_list a policy, or a list of operators whose results are stored
 * @param allow_cache_entry_mutation whether stored results may be changed before backward
 * @example checkpoint(fn, x, { use_reentrant: false, context_fn: () => create_selective_checkpoint_contexts([torch.ops.aten.mm.default]) });
 */
export const create_selective_checkpoint_contexts = def(
  "create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False)",
  (
    policy_fn_or_list: PolicyFn | readonly OpOverload[],
    allow_cache_entry_mutation: boolean,
  ): [forward: TorchDispatchMode, recompute: TorchDispatchMode] => {
    if (!Array.isArray(policy_fn_or_list) && typeof policy_fn_or_list !== "function")
      throw new TypeError_("policy_fn_or_list must be either a function or a list of ops.");
    const policy_fn = Array.isArray(policy_fn_or_list)
      ? policy_of_list(policy_fn_or_list)
      : (policy_fn_or_list as PolicyFn);
    const storage: Storage = new Map();
    return [
      new _CachingTorchDispatchMode(policy_fn, storage),
      new _CachedTorchDispatchMode(storage, allow_cache_entry_mutation),
    ];
  },
);
