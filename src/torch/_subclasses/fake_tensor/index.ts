/**
 * @file Fake tensors: everything a tensor has but its data.
 * @mirrors torch/_subclasses/fake_tensor.py
 * @differs Ours keeps no cache of results; and an operator whose result's size depends on data always refuses.
 *
 *     x = randn(2, 3)           mode.from_tensor(x) = FakeTensor(..., size=(2, 3)), fake_device cpu,
 *                                                     in a storage of the device "meta", with the CPU's dispatch keys
 *     with mode: y = x @ w      autograd records as always; then the mode takes the call:
 *                                 1. all arguments are its own tensors, or are converted, or it refuses
 *                                 2. all are known constants (torch.tensor(3.0)): the real operator runs
 *                                 3. the operator decomposes, has a rule of its own (`fake_impls`), or runs its Meta kernel
 *                                 4. the result gets the device that the arguments have in common,
                                    and symbolic sizes by a rule (symbolic_call.ts), if the arguments have them
 */
import type { StorageImpl } from "#c10/core/StorageImpl";
import { is_settled } from "#c10/core/SymbolicShapeMeta";
import { AssertionError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { repr, str } from "#python/Objects/object";
import {
  _C,
  _dispatch_has_computed_kernel_for_dispatch_key,
  _dispatch_has_kernel_for_dispatch_key,
  _get_dispatch_mode,
  _set_dispatch_mode,
  _TorchDispatchModeKey,
  _unset_dispatch_mode,
  kWrap,
  should_allow_numbers_as_tensors,
  subclass_data,
  Tag,
  type THPDevice,
  THPDevice_pynew,
} from "#torch/_C";
import { with_ctx } from "#torch/_library/fake_impl";
import { singleton as simple_registry } from "#torch/_library/simple_registry";
import { NotImplemented, type OpOverload, ops } from "#torch/_ops";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { PRINT_OPTS } from "#torch/_tensor_str";
import { torch } from "#torch/_torch";
import { DimDynamic, type ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { TorchDispatchMode } from "#torch/utils/_python_dispatch";
import { map_leaves } from "#torch/utils/_pytree/index";
import { MetaConverter, type SymbolicContext } from "../meta_utils.ts";
import { by_name, call, flat_arguments, type Keywords, map_arguments } from "./call_arguments.ts";
import {
  DynamicOutputShapeException,
  FakeTensorDeviceMismatchError,
  UnsupportedOperatorException,
} from "./exceptions.ts";
import { in_kernel_invocation, no_dispatch } from "./kernel_invocation.ts";
import { makes_symbols, run_op_implementation } from "./op_implementations.ts";
import { call_with_symbols, involves_symbols } from "./symbolic_call.ts";
import { with_symbolic_impl } from "./symbolic_sizes.ts";

export * from "./exceptions.ts";

const MODULE = "torch._subclasses.fake_tensor";
/** Tensors with more elements are not followed as constants. */
const CONSTANT_NUMEL_LIMIT = 1;

type Device = Tensor["device"];
const device_of = (value: unknown): Device => THPDevice_pynew(value as never) as Device;
const META = device_of("meta");
const CPU = device_of("cpu");
const same_device = (a: Device, b: Device): boolean => String(a) === String(b);

const FakeTensor_new = new Init(
  "FakeTensor.__new__(cls, fake_mode, elem, device, constant=None, real_tensor=None, pytype=None, dispatch_keys=None, *, requires_grad=None)",
  types<
    [
      fake_mode: FakeTensorMode,
      elem: Tensor,
      device: unknown,
      constant: Tensor | null,
      real_tensor: null,
      pytype: null,
      dispatch_keys: null,
      requires_grad: boolean | null,
    ]
  >,
);

/** The engine's tensor of a fake one: the memory of `elem` under the keys of `device`. */
function fake_data(
  cls: typeof FakeTensor,
  fake_mode: unknown,
  elem: unknown,
  device: Device,
  requires_grad: boolean | null,
) {
  if (!(fake_mode instanceof FakeTensorMode))
    throw new TypeError_("FakeTensor.__new__() missing required argument: 'fake_mode'");
  if (!(elem instanceof Tensor)) throw new TypeError_("FakeTensor.__new__() missing required argument: 'elem'");
  if (elem.device.type !== "meta") throw new AssertionError(`elem.device.type must be 'meta', got ${elem.device.type}`);
  const data = subclass_data(cls, elem, requires_grad ?? elem.requires_grad, {
    dispatch_device: true,
    device_for_backend_keys: device,
  });
  const made = fake_mode.static_shapes ? data : with_symbolic_impl(data);
  made.impl_.set_python_dispatch(true);
  return made;
}

/** Questions about a tensor that its class answers without any mode. */
const DISPATCH_META_HANDLERS: ReadonlyMap<string, (self: FakeTensor) => unknown> = new Map([
  ["prim::device", (self: FakeTensor): unknown => self.device],
  ["aten::size", (self: FakeTensor): unknown => self.size()],
  ["aten::stride", (self: FakeTensor): unknown => self.stride()],
  ["aten::storage_offset", (self: FakeTensor): unknown => self.storage_offset()],
]);

type MemoKey = "item" | "nonzero" | "unique" | "unique_consecutive";

interface Answer {
  readonly version: number;
  /** The trace in which it was given. */
  readonly epoch: number;
  readonly symbol: unknown;
}

/** Symbols by the question to which they are the answer. A write to the tensor ends them, and so does the next trace. */
class Memo {
  private readonly known = new Map<MemoKey, Answer>();

  get(key: MemoKey, t: FakeTensor): unknown {
    const answer = this.known.get(key);
    if (answer === undefined || answer.version !== t._version) return null;
    return answer.epoch === t.fake_mode.epoch || is_hinted(answer.symbol) ? answer.symbol : null;
  }
  set(key: MemoKey, t: FakeTensor, symbol: unknown): void {
    this.known.set(key, { version: t._version as number, epoch: t.fake_mode.epoch, symbol });
  }
}
/** Whether the symbol is a number that is known in this call. */
const is_hinted = (symbol: unknown): boolean => (symbol as { node?: { hint: unknown } } | null)?.node?.hint != null;

/** A tensor without data that says on which device its real form would be. */
export class FakeTensor extends Tensor {
  static override readonly __module__ = MODULE;
  readonly fake_mode: FakeTensorMode;
  readonly fake_device: Device;
  /** The value, while it is known. */
  constant: Tensor | null;
  /** Symbols that stand for what the data says, so that a question asked twice has one answer: `item()`, `nonzero()`, `unique()`. */
  readonly memo = new Memo();

  static {
    def_methods(FakeTensor, { __init__: FakeTensor_new });
  }

  constructor(...args: InitArgs<typeof FakeTensor_new>) {
    const [fake_mode, elem, device, constant, , , , requires_grad] = FakeTensor_new.bind(args);
    const fake_device = device_of(device);
    super(kWrap, fake_data(new.target, fake_mode, elem, fake_device, requires_grad));
    this.fake_mode = fake_mode;
    this.fake_device = fake_device;
    this.constant = constant;
  }

  /** A class with `__torch_dispatch__` does not override functions as well. */
  static override __torch_function__ = _C._disabled_torch_function_impl as typeof Tensor.__torch_function__;

  /** The device of the real form; while a kernel runs, that of the memory. */
  override get device(): Device {
    return this.fake_mode.in_kernel_invocation ? META : this.fake_device;
  }

  static from_tensor(t: Tensor, fake_mode: FakeTensorMode): FakeTensor {
    return fake_mode.from_tensor(t);
  }

  /** A call without an active mode: the mode of the arguments takes it. */
  static override __torch_dispatch__(op: unknown, types_: unknown, args: unknown[], given: object): unknown {
    const func = op as OpOverload;
    const handler = DISPATCH_META_HANDLERS.get(func.name());
    if (handler !== undefined) return handler(args[0] as FakeTensor);
    if ((types_ as unknown[]).some((type) => type !== Tensor && !is_class_of_fakes(type))) return NotImplemented;
    const kwargs = (given ?? {}) as Keywords;
    const fake = flat_arguments(args, kwargs).find((arg) => arg instanceof FakeTensor);
    if (fake === undefined) throw new AssertionError("Could not find a FakeTensor in the arguments");
    // An active mode was asked before, and does not know another argument.
    if (_get_dispatch_mode(_TorchDispatchModeKey.FAKE) !== null) return NotImplemented;
    return fake.fake_mode.with(() => call(func, args, kwargs));
  }

  override tolist(): unknown {
    if (this.dim() === 0) return this.item();
    return (this.unbind(0) as unknown as Tensor[]).map((element) => (element as FakeTensor).tolist());
  }
}

const is_class_of_fakes = (type: unknown): boolean =>
  type === FakeTensor || (typeof type === "function" && type.prototype instanceof FakeTensor);

/** Makes fake tensors of real ones, each once. */
export class FakeTensorConverter {
  static readonly __module__ = MODULE;
  private readonly meta_converter = new MetaConverter<FakeTensor>();
  /** Fake tensors by the storage of their constants: a write to one of them ends what is known of all. */
  private readonly constant_storage_mapping = new WeakMap<object, WeakRef<FakeTensor>[]>();

  /** @param how which sizes become symbols; null: none */
  from_real_tensor(
    fake_mode: FakeTensorMode,
    t: Tensor,
    make_constant = false,
    how: SymbolicContext | null = null,
  ): FakeTensor {
    const known = this.meta_converter.get_memo(t);
    if (known !== undefined) return known;
    const constant = make_constant ? t : null;
    const out = this.meta_converter.meta_tensor(
      t,
      (meta, device) => no_dispatch(() => new FakeTensor(fake_mode, meta, device, constant)),
      how,
    );
    if (make_constant) this.add_constant_storage_mapping(out);
    return out;
  }

  /** The result of a Meta kernel on its device. */
  from_meta_and_device(fake_mode: FakeTensorMode, t: Tensor, device: Device): FakeTensor {
    const known = this.meta_converter.get_memo(t);
    if (known !== undefined) return known;
    const out = new FakeTensor(fake_mode, t, device);
    this.meta_converter.set_memo(t, out);
    return out;
  }

  private storage_of(t: Tensor): object {
    return t.cdata.storage().unsafeGetStorageImpl() as StorageImpl;
  }

  private add_constant_storage_mapping(fake: FakeTensor): void {
    const storage = this.storage_of(fake.constant as Tensor);
    const fakes = this.constant_storage_mapping.get(storage) ?? [];
    fakes.push(new WeakRef(fake));
    this.constant_storage_mapping.set(storage, fakes);
  }

  invalidate_constant_aliases(constant: Tensor): void {
    const storage = this.storage_of(constant);
    for (const ref of this.constant_storage_mapping.get(storage) ?? []) {
      const fake = ref.deref();
      if (fake !== undefined) fake.constant = null;
    }
    this.constant_storage_mapping.delete(storage);
  }
}

const FakeTensorMode_init = new Init(
  "FakeTensorMode.__init__(self, *, allow_fallback_kernels=True, allow_non_fake_inputs=False, shape_env=None, static_shapes=None, export=False)",
  types<
    [
      allow_fallback_kernels: boolean,
      allow_non_fake_inputs: boolean,
      shape_env: ShapeEnv | null,
      static_shapes: boolean | null,
      export_: boolean,
    ]
  >,
);

/** The name of an operator without its namespace and overload. */
const base_name = (func: OpOverload): string => func._opname;
const LIFT = new Set(["aten::lift_fresh", "aten::lift_fresh_copy"]);
const FALLBACK_NAMESPACES = new Set(["aten", "prims", "debugprims"]);
/** Operators whose other argument may be on the CPU. */
const MIXED_DEVICE = new Set(["aten::_foreach_copy"]);
/** Operators that a scalar tensor of the CPU does not join on another device. */
const NO_CPU_SCALARS = new Set(["aten::nextafter"]);

export const has_meta = (func: OpOverload): boolean =>
  _dispatch_has_computed_kernel_for_dispatch_key(func.name(), "Meta");

/** The call as text, with tensors cut short. */
function render_call(func: OpOverload, args: readonly unknown[], kwargs: Keywords): string {
  const { threshold, edgeitems } = PRINT_OPTS;
  Object.assign(PRINT_OPTS, { threshold: 0, edgeitems: 0 });
  try {
    const texts = [...args.map((arg) => repr(arg)), ...Object.entries(kwargs).map(([k, v]) => `${k}=${repr(v)}`)];
    return `${str(func)}(${texts.join(", ")})`;
  } finally {
    Object.assign(PRINT_OPTS, { threshold, edgeitems });
  }
}

/** The mode in which operators give fake tensors. */
export class FakeTensorMode extends TorchDispatchMode {
  static readonly __module__ = MODULE;
  readonly _mode_key = _TorchDispatchModeKey.FAKE;
  readonly allow_fallback_kernels: boolean;
  readonly allow_non_fake_inputs: boolean;
  readonly static_shapes: boolean;
  /** Whether a program is exported: then no number in an argument is known. */
  readonly export: boolean;
  /** Names the numbers that a program reads from tensors; without one, reading refuses. */
  readonly shape_env: ShapeEnv | null;
  readonly fake_tensor_converter = new FakeTensorConverter();
  /** Whether a Meta kernel runs. */
  in_kernel_invocation = false;
  /** One entry for each `with` block: whether it switched the mode on, and the mode that was on before. */
  private readonly enter_stack: (readonly [live: boolean, before: object | null])[] = [];

  static {
    def_methods(FakeTensorMode, { __init__: FakeTensorMode_init });
  }

  constructor(...args: InitArgs<typeof FakeTensorMode_init>) {
    super();
    const [allow_fallback_kernels, allow_non_fake_inputs, shape_env, static_shapes, is_export] =
      FakeTensorMode_init.bind(args);
    this.export = is_export;
    this.allow_fallback_kernels = allow_fallback_kernels;
    this.allow_non_fake_inputs = allow_non_fake_inputs;
    this.shape_env = shape_env;
    this.static_shapes = static_shapes ?? shape_env === null;
  }

  static override is_infra_mode(): boolean {
    return true;
  }

  override __enter__(): this {
    const before = _unset_dispatch_mode(this._mode_key);
    this.enter_stack.push([before !== this, before]);
    _set_dispatch_mode(this);
    return this;
  }

  override __exit__(): void {
    const [live, before] = this.enter_stack.pop() as [boolean, object | null];
    if (!live) return;
    _unset_dispatch_mode(this._mode_key);
    if (before !== null) _set_dispatch_mode(before);
  }

  /** The number of the trace: a tensor's question has one answer in each. */
  epoch = 0;

  is_our_fake(t: unknown): t is FakeTensor {
    return t instanceof FakeTensor && t.fake_mode === this;
  }

  /**
   * The fake form of a real tensor. With a `shape_env` its sizes become symbols, one for each number, unless they are said to be static.
   * @param options `static_shapes`; `source`, the text by which the symbols are named; `symbolic_context`, what becomes of each dimension
   */
  from_tensor(
    tensor: Tensor,
    options: {
      readonly static_shapes?: boolean | null;
      readonly source?: unknown;
      readonly symbolic_context?: Omit<SymbolicContext, "shape_env" | "source"> | null;
    } = {},
  ): FakeTensor {
    const { shape_env } = this;
    const static_shapes = options.static_shapes ?? this.static_shapes;
    if (static_shapes || shape_env === null) return this.fake_tensor_converter.from_real_tensor(this, tensor);
    const source = str(options.source ?? `__meta_utils_unknown_tensor${this.unknown_sources}`);
    if (options.source === undefined) this.unknown_sources++;
    const context = options.symbolic_context ?? { dynamic_sizes: tensor.cdata.sizes().map(() => DimDynamic.DUCK) };
    const fake = this.fake_tensor_converter.from_real_tensor(this, tensor, false, { ...context, shape_env, source });
    if (options.source !== undefined && !this.export) remember_item(fake, tensor, shape_env, source);
    return fake;
  }
  private unknown_sources = 0;

  override __torch_dispatch__(func: OpOverload, types_: readonly unknown[], args: unknown[], given: object): unknown {
    return this.dispatch(func, types_, args, (given ?? {}) as Keywords);
  }

  dispatch(func: OpOverload, _types: readonly unknown[], args: unknown[], kwargs: Keywords): unknown {
    const handler = DISPATCH_META_HANDLERS.get(func.name());
    if (handler !== undefined) return handler(args[0] as FakeTensor);
    return this._dispatch_impl(func, args, kwargs);
  }

  private _dispatch_impl(func: OpOverload, given_args: unknown[], given_kwargs: Keywords): unknown {
    const given = flat_arguments(given_args, given_kwargs);
    if (given.some((arg) => arg instanceof Tensor && is_unrecognized(arg))) return NotImplemented;
    const has_fake = given.some((arg) => this.is_our_fake(arg));
    const is_lift = LIFT.has(func.name());
    const numbers = should_allow_numbers_as_tensors(base_name(func));
    if (!has_fake && (is_lift || (numbers && !is_device_conversion(func, given_args)))) {
      const out = call(func, given_args, given_kwargs);
      if (is_plain(out) && this.may_turn_const(out))
        return this.fake_tensor_converter.from_real_tensor(
          this,
          no_dispatch(() => out.clone()),
          true,
        );
    }
    if (is_lift && is_plain(given_args[0])) return this.fake_tensor_converter.from_real_tensor(this, given_args[0]);

    const fakes: FakeTensor[] = [];
    const validate = (leaf: unknown): unknown => {
      if (!(leaf instanceof Tensor)) return leaf;
      const fake = this.is_our_fake(leaf) ? leaf : this.convert(func, leaf, given_args, given_kwargs);
      fakes.push(fake);
      return fake;
    };
    const [args, kwargs] = map_arguments(given_args, given_kwargs, validate);
    if (fakes.length > 0 && fakes.every((fake) => fake.constant !== null)) {
      const out = this.compute_constants(func, args, kwargs);
      if (out !== NotImplemented) return out;
    }
    this.invalidate_written_to_constants(func, args, kwargs);
    return this.compute(func, args, kwargs);
  }

  /** A tensor that is not fake, if the mode accepts such tensors. */
  private convert(func: OpOverload, x: Tensor, args: readonly unknown[], kwargs: Keywords): FakeTensor {
    if (func.tags.includes(Tag.inplace_view))
      throw new AssertionError(
        `Can't call metadata mutating ops on non-Fake Tensor inputs. Found in ${render_call(func, args, kwargs)}`,
      );
    if (!this.allow_non_fake_inputs) {
      if (x instanceof FakeTensor)
        throw new AssertionError(`Mixing fake modes NYI x.fake_mode=${repr(x.fake_mode)} vs self=${repr(this)}`);
      throw new AssertionError(
        `Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with 'allow_non_fake_inputs'. Found in ${render_call(func, args, kwargs)}`,
      );
    }
    return this.fake_tensor_converter.from_real_tensor(this, x);
  }

  /** Runs the real operator on constants; `NotImplemented` if its result is not one. */
  private compute_constants(func: OpOverload, args: readonly unknown[], kwargs: Keywords): unknown {
    const { tags } = func;
    if (tags.includes(Tag.nondeterministic_seeded)) return NotImplemented;
    if (tags.includes(Tag.inplace_view) && func.name() !== "aten::detach_") return NotImplemented;
    const constants = map_arguments(args, kwargs, (leaf) => (leaf instanceof FakeTensor ? leaf.constant : leaf));
    const out = no_dispatch(() => call(func, ...constants));
    const tensors = flat_arguments([out], {}).filter((t) => t instanceof Tensor);
    const converter = this.fake_tensor_converter;
    if (tensors.every((t) => this.may_turn_const(t)))
      return map_leaves(out, (t) => (t instanceof Tensor ? converter.from_real_tensor(this, t, true) : t));
    for (const t of tensors) converter.invalidate_constant_aliases(t);
    return NotImplemented;
  }

  may_turn_const(t: Tensor): boolean {
    return t.numel() <= CONSTANT_NUMEL_LIMIT && !(t instanceof FakeTensor) && t.device.type !== "meta";
  }

  private invalidate_written_to_constants(func: OpOverload, args: readonly unknown[], kwargs: Keywords): void {
    const named = by_name(func, args, kwargs);
    for (const { name, alias_info } of func._schema.arguments) {
      if (!alias_info?.is_write) continue;
      for (const written of flat_arguments([named[name]], {}))
        if (written instanceof FakeTensor && written.constant !== null)
          this.fake_tensor_converter.invalidate_constant_aliases(written.constant);
    }
  }

  private compute(func: OpOverload, args: readonly unknown[], kwargs: Keywords): unknown {
    const { shape_env } = this;
    if (shape_env === null || this.static_shapes || is_settled() || !involves_symbols(flat_arguments(args, kwargs)))
      return this.compute_with_numbers(func, args, kwargs);
    if (makes_symbols(func)) {
      const out = run_op_implementation(this, func, args, kwargs);
      if (out !== NotImplemented) return out;
    }
    return call_with_symbols(
      shape_env,
      func,
      args,
      kwargs,
      (...numbers) => this.compute_with_numbers(func, ...numbers),
      (self, sizes, strides, offset) =>
        this.compute_with_numbers(ops.aten.as_strided.default as OpOverload, [self, sizes, strides, offset], {}),
    );
  }

  /** The result, from the first that knows: a decomposition, a fake implementation, a rule of fake tensors, the Meta kernel. */
  private compute_with_numbers(func: OpOverload, args: readonly unknown[], kwargs: Keywords): unknown {
    const name = func.name();
    if (!_dispatch_has_kernel_for_dispatch_key(name, "Meta") && func._can_decompose()) {
      const out = this.with(() => func.decompose(...args, ...(Object.keys(kwargs).length > 0 ? [kwargs] : [])));
      if (out !== NotImplemented) return out;
    }
    const registered = simple_registry.get(name)?.fake_impl.kernel;
    if (registered) {
      const refuse = (): never => {
        throw new DynamicOutputShapeException(func);
      };
      return with_ctx({ new_dynamic_size: refuse, create_unbacked_symint: refuse }, () =>
        this.with(() => call(registered.func, args, kwargs)),
      );
    }
    const out = run_op_implementation(this, func, args, kwargs);
    if (out !== NotImplemented) return out;
    if (!has_meta(func)) return this.run_fallback_kernel(func, args, kwargs, new UnsupportedOperatorException(func));
    let result: unknown;
    try {
      result = in_kernel_invocation(this, () => call(func, args, kwargs));
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "NotImplementedError") throw error;
      return this.run_fallback_kernel(func, args, kwargs, error);
    }
    return this.wrap_meta_outputs_with_default_device_logic(
      result,
      func,
      flat_arguments(args, kwargs),
      kwargs["device"],
    );
  }

  /** The results of a Meta kernel on the device that the arguments have in common. */
  wrap_meta_outputs_with_default_device_logic(
    r: unknown,
    func: OpOverload,
    flat_args: readonly unknown[],
    device: unknown,
  ): unknown {
    let common: Device | null = null;
    return map_leaves(r, (e) => {
      if (!(e instanceof Tensor)) return e;
      common ??= find_common_device(func, flat_args);
      if (!this.is_our_fake(e))
        return this.fake_tensor_converter.from_meta_and_device(this, e, device ? device_of(device) : common);
      if (!same_device(e.device, common))
        throw new RuntimeError(`FakeTensor is wrapped to wrong device, found ${e.device}, expected ${common}`);
      return e;
    });
  }

  /** Runs the real operator on zeros. @param refusal thrown if it may not run, or if a result would share memory with an argument */
  run_fallback_kernel(func: OpOverload, args: readonly unknown[], kwargs: Keywords, refusal: Error): unknown {
    if (!this.allow_fallback_kernels || !FALLBACK_NAMESPACES.has(func.namespace))
      throw new UnsupportedOperatorException(func);
    if (func.tags.includes(Tag.inplace_view)) throw refusal;
    const fake_of = new Map<unknown, FakeTensor>();
    const storages = new Set<unknown>();
    const storage_of = (t: Tensor): unknown => t.cdata.storage().unsafeGetStorageImpl();
    const out = no_dispatch(() => {
      const real = map_arguments(args, kwargs, (leaf) => {
        if (!(leaf instanceof FakeTensor)) return leaf;
        const zeros = torch.zeros_like(leaf, { device: leaf.fake_device });
        fake_of.set(zeros, leaf);
        storages.add(storage_of(zeros));
        return zeros;
      });
      return call(func, ...real);
    });
    return map_leaves(out, (e) => {
      if (!(e instanceof Tensor)) return e;
      const argument = fake_of.get(e);
      if (argument !== undefined) return argument;
      if (storages.has(storage_of(e))) throw refusal;
      return this.fake_tensor_converter.from_real_tensor(this, e);
    });
  }
}

const ITEM_DTYPES: ReadonlySet<string> = new Set(["torch.int64", "torch.int32", "torch.int16", "torch.int8"]);

/** A whole number in a tensor of the CPU is known in this call, and a symbol in others. */
function remember_item(fake: FakeTensor, tensor: Tensor, env: ShapeEnv, source: string): void {
  if (tensor.dim() !== 0 || tensor.device.type !== "cpu" || !ITEM_DTYPES.has(String(tensor.dtype))) return;
  if (!env.allow_scalar_outputs || fake.memo.get("item", fake) !== null) return;
  const value = Number(no_dispatch(() => tensor.item()));
  const expr = env.create_unspecified_symbol(value, `${source}.item()`);
  fake.memo.set("item", fake, env.create_symintnode(expr));
}

const is_plain = (value: unknown): value is Tensor => value instanceof Tensor && value.constructor === Tensor;

/** A tensor whose class has a `__torch_dispatch__` of its own, which fake tensors do not know. */
function is_unrecognized(t: Tensor): boolean {
  return !(t instanceof FakeTensor) && t.cdata.unsafeGetTensorImpl().is_python_dispatch();
}

/** `x.to(device)` of a tensor without data computes nothing. */
function is_device_conversion(func: OpOverload, [self]: readonly unknown[]): boolean {
  return func.name() === "aten::_to_copy" && self instanceof Tensor && self.device.type === "meta";
}

/** The device of the result: that of the arguments, among which scalar tensors of the CPU do not count. */
export function find_common_device(func: OpOverload, flat_args: readonly unknown[]): Device {
  const name = func.name();
  let common: Device | null = null;
  let is_cpu_zero_dim = false;
  const cpu_zero_dim = (t: FakeTensor): boolean => t.device.type === "cpu" && t.dim() === 0;
  for (const t of flat_args) {
    if (!(t instanceof FakeTensor)) continue;
    if (common === null) {
      common = t.device;
      is_cpu_zero_dim = cpu_zero_dim(t);
      continue;
    }
    if (same_device(t.device, common)) {
      is_cpu_zero_dim &&= cpu_zero_dim(t);
      continue;
    }
    const joins = !NO_CPU_SCALARS.has(name);
    if (joins && cpu_zero_dim(t)) continue;
    if (joins && is_cpu_zero_dim) {
      common = t.device;
      is_cpu_zero_dim = cpu_zero_dim(t);
      continue;
    }
    const types_: string[] = [common.type, t.device.type];
    if (MIXED_DEVICE.has(name) && types_.includes("cpu")) continue;
    if (name === "aten::add_.Tensor" && types_.includes("meta")) continue;
    throw new FakeTensorDeviceMismatchError(func, common as THPDevice, t.device as THPDevice);
  }
  if (common === null && should_allow_numbers_as_tensors(base_name(func))) return CPU;
  if (common === null) throw new AssertionError(`Could not find common device for ${str(func)}`);
  return common;
}

/** Whether the tensor is a fake one. */
export function is_fake(x: unknown): boolean {
  return x instanceof FakeTensor;
}

/** The mode of a fake tensor; null for any other value. */
export function maybe_get_fake_mode(t: unknown): FakeTensorMode | null {
  return t instanceof FakeTensor ? t.fake_mode : null;
}

/** The mode of the first fake tensor among these values; null if there is none. (`detect_fake_mode` in torch/_guards.py) */
export function detect_fake_mode(values: readonly unknown[]): FakeTensorMode | null {
  return (values.find(is_fake) as FakeTensor | undefined)?.fake_mode ?? null;
}

/** Runs `fn` without the active fake mode. */
export function without_fake_mode<R>(fn: () => R): R {
  const before = _unset_dispatch_mode(_TorchDispatchModeKey.FAKE);
  try {
    return fn();
  } finally {
    if (before !== null) _set_dispatch_mode(before);
  }
}
