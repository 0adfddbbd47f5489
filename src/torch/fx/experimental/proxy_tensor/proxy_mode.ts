/**
 * @file `ProxyTorchDispatchMode`: the mode that adds a node for every operator.
 * @mirrors torch/fx/experimental/proxy_tensor.py#ProxyTorchDispatchMode
 */
import { RuntimeError } from "#c10/util/Exception";
import { as_float } from "#python/bridge/values";
import { dict_of, type PyDict } from "#python/Objects/dictobject";
import { NotImplemented, str, truth } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import {
  _dispatch_has_kernel_for_dispatch_key,
  _dispatch_key_for_device,
  _get_dispatch_mode,
  _set_dispatch_mode,
  _TorchDispatchModeKey,
  _unset_dispatch_mode,
  Tag,
} from "#torch/_C";
import { is_overridden } from "#torch/_dispatch/composite_override";
import {
  _get_dispatch_mode_pre_dispatch,
  _set_mode_pre_dispatch,
  unset_mode_pre_dispatch,
} from "#torch/_dispatch/pre_dispatch";
import { type OpOverload, ops } from "#torch/_ops";
import { is_fake, without_fake_mode } from "#torch/_subclasses/fake_tensor/index";
import { is_symbol } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { TorchDispatchMode } from "#torch/utils/_python_dispatch";
import { flatten, map_leaves } from "#torch/utils/_pytree/index";
import { call_function } from "../../callables.ts";
import type { Proxy as NodeProxy } from "../../proxy/index.ts";
import { by_hook } from "../../recording.ts";
import { with_original_aten } from "../../traceback.ts";
import { sym_dispatch } from "../sym_node.ts";
import { note_unbacked_bindings } from "../symbolic_shapes/unbacked_bindings.ts";
import { is_accessor } from "./symnode_tracker.ts";
import { type PythonKeyTracer, without_modes } from "./tracer.ts";

/** Functions by operator: each runs in place of its operator. */
export type Table = ReadonlyMap<unknown, unknown>;

/** The largest int64, which C++ writes for the end of a slice. */
const INT64_MAX = 2n ** 63n - 1n;
/** Tensors with more elements are not followed as constants. */
const CONSTANT_NUMEL_LIMIT = 1;

/** The mode that notes every operator. */
export class ProxyTorchDispatchMode extends TorchDispatchMode {
  static readonly __module__ = "torch.fx.experimental.proxy_tensor";
  readonly _mode_key = _TorchDispatchModeKey.PROXY;
  readonly tracer: PythonKeyTracer;
  readonly decomposition_table: Table;
  /** Whether it sees calls above autograd. */
  readonly pre_dispatch: boolean;
  private readonly error_on_data_dependent_ops: boolean;
  /** Gives the tensor that stands for one without a proxy; null if such a tensor is a constant. */
  inside: ((t: Tensor, tracer: PythonKeyTracer) => Tensor) | null = null;
  /** The mode that was on before, for each `with` block. */
  private readonly enter_stack: (ProxyTorchDispatchMode | null)[] = [];

  constructor(
    tracer: PythonKeyTracer,
    decomposition_table: Table,
    pre_dispatch = false,
    error_on_data_dependent_ops = true,
  ) {
    super();
    this.tracer = tracer;
    this.decomposition_table = decomposition_table;
    this.pre_dispatch = pre_dispatch;
    this.error_on_data_dependent_ops = error_on_data_dependent_ops;
  }

  override __enter__(): this {
    this.enter_stack.push(switch_off());
    switch_on(this);
    return this;
  }

  override __exit__(): void {
    switch_off();
    const before = this.enter_stack.pop() ?? null;
    if (before !== null) switch_on(before);
  }

  static override is_infra_mode(): boolean {
    return true;
  }

  /** Whether it sees the calls that are made now. */
  get is_active(): boolean {
    return _get_dispatch_mode(_TorchDispatchModeKey.PROXY) === this || _get_dispatch_mode_pre_dispatch() === this;
  }

  /** The arguments of an operator, as the graph knows them. */
  known<T>(args: T): T {
    const { inside, tracer } = this;
    if (inside === null) return args;
    return map_leaves(args, (leaf) =>
      leaf instanceof Tensor && tracer.tracked(leaf) === undefined ? inside(leaf, tracer) : leaf,
    ) as T;
  }

  override __torch_dispatch__(func: OpOverload, _types: readonly unknown[], args: unknown[], given: object): unknown {
    if (func.namespace === "prim" || is_accessor(func)) return func(...args);
    const kwargs = dict_of(Object.entries(given ?? {}));
    return with_original_aten(func, () =>
      by_hook("torch.fx.experimental.proxy_tensor.proxy_call", proxy_call, [
        this,
        func,
        this.known(args),
        this.known(kwargs),
        this.error_on_data_dependent_ops,
      ]),
    );
  }
}

/** Notes an operation on symbols. (`__sym_dispatch__`) */
function sym_dispatch_to(mode: ProxyTorchDispatchMode): NonNullable<typeof sym_dispatch.note> {
  return (operator, args, out) => {
    if (!mode.is_active) return null;
    if (operator === "mul" && args.includes(1)) return (args[0] === 1 ? args[1] : args[0]) as typeof out;
    mode.tracer.symnode_tracker.note(operator, args, out);
    return null;
  };
}

function switch_off(): ProxyTorchDispatchMode | null {
  sym_dispatch.note = null;
  const above = _get_dispatch_mode_pre_dispatch() === null ? null : unset_mode_pre_dispatch();
  return (above ?? _unset_dispatch_mode(_TorchDispatchModeKey.PROXY)) as ProxyTorchDispatchMode | null;
}

function switch_on(mode: ProxyTorchDispatchMode): void {
  sym_dispatch.note = sym_dispatch_to(mode);
  if (mode.pre_dispatch) _set_mode_pre_dispatch(mode);
  else _set_dispatch_mode(mode);
}

const has_tag = (func: OpOverload, tag: Tag): boolean => func.tags.includes(tag);

/** A number as Python shows it: where the schema has a float, 2 is 2.0. */
function as_declared(arg: unknown, { type }: { readonly type: unknown }): unknown {
  const declared = String(type);
  if (Array.isArray(arg) && /^(?:Optional\[)?List\[float\]/.test(declared))
    return arg.map((each) => (typeof each === "number" ? as_float(each) : each));
  return typeof arg === "number" && /^(?:Optional\[)?float\]?\??$/.test(declared) ? as_float(arg) : arg;
}

/** Whether only inference mode let a composite operator come here: its device has no kernel of its own. */
function autograd_would_have_decomposed(func: OpOverload, args: readonly unknown[]): boolean {
  if (is_overridden(func.name())) return false;
  const [first] = flatten(tuple(args))[0].filter((leaf) => leaf instanceof Tensor);
  const key = first === undefined ? null : _dispatch_key_for_device(first.device.type);
  return key === null || !_dispatch_has_kernel_for_dispatch_key(func.name(), key);
}

/** Runs an operator and adds its node. */
function proxy_call(
  mode: ProxyTorchDispatchMode,
  given: OpOverload,
  args: unknown[],
  kwargs: PyDict,
  strict: boolean,
): unknown {
  const { tracer, decomposition_table } = mode;
  const decomposition = decomposition_table.get(given);
  if (decomposition !== undefined) {
    const result = mode.with(() => call_function(decomposition, args, kwargs));
    if (result !== NotImplemented) return result;
  }
  if (!mode.pre_dispatch && given._can_decompose() && autograd_would_have_decomposed(given, args))
    return mode.with(() => call_function(given.decompose.bind(given), args, kwargs));
  if (given === ops.aten.is_nonzero.default) return mode.with(() => truth((args[0] as Tensor).ne(0).item()));
  const [leaves] = flatten(tuple([tuple(args), kwargs]));
  const tracked = leaves.map((leaf) => (leaf instanceof Tensor ? tracer.tracked(leaf) : undefined));
  const known = tracked.filter((it) => it !== undefined);
  const all_constant = known.every((it) => it.constant !== null);
  const with_constants = (): unknown => call_function(given, constants(args) as unknown[], constants(kwargs) as PyDict);
  const constants = (value: unknown): unknown =>
    map_leaves(value, (leaf) => (leaf instanceof Tensor ? (tracer.tracked(leaf)?.constant ?? leaf) : leaf));
  if (has_tag(given, Tag.data_dependent_output)) {
    if (all_constant) return without_fake_mode(with_constants);
    if (strict && leaves.every((leaf) => !is_fake(leaf)))
      throw new RuntimeError(
        `It appears that you're trying to get value out of a tracing tensor with ${str(given)} - erroring out! It's likely that this is caused by data-dependent control flow or similar.  It may be possible to trace this with dynamic shapes; try setting tracing_mode='symbolic' in your make_fx call.`,
      );
  }
  const func = given === ops.aten.lift_fresh.default ? (ops.aten.lift_fresh_copy.default as OpOverload) : given;
  const proxied = (value: unknown): unknown =>
    map_leaves(value, (leaf) => {
      if (leaf instanceof Tensor) return tracer.tracked(leaf)?.proxy ?? leaf;
      if (is_symbol(leaf)) return tracer.symnode_tracker.value_of(leaf);
      return leaf === Number.MAX_SAFE_INTEGER ? INT64_MAX : leaf; // the end of a slice that has none
    });
  const name = tracer.graph._target_to_str(func.overloadpacket.__name__);
  const proxy_out = tracer.create_proxy(
    "call_function",
    func,
    tuple((proxied(args) as unknown[]).map((arg, i) => as_declared(arg, func._schema.arguments[i]))),
    proxied(kwargs),
    name,
    null,
    null,
  );
  const out = call_function(func, args, kwargs);
  let constant: Tensor | null = null;
  if (func === ops.aten.lift_fresh_copy.default) {
    const [value] = args as [Tensor];
    if (value.numel() <= CONSTANT_NUMEL_LIMIT && !is_fake(value)) constant = without_modes(() => value.clone());
  } else if (
    all_constant &&
    known.length > 0 &&
    !has_tag(given, Tag.nondeterministic_seeded) &&
    out instanceof Tensor &&
    out.numel() <= CONSTANT_NUMEL_LIMIT
  )
    constant = without_fake_mode(() => with_constants()) as Tensor;
  note_unbacked_bindings((proxy_out as NodeProxy).node, out);
  tracer.track(out, proxy_out, constant);
  return out;
}
