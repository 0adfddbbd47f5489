/**
 * @file Operators whose fake result does not follow from their Meta kernel alone: factories, conversions, results that depend on data,
 * arguments on several devices.
 * @mirrors torch/_subclasses/fake_impls.py
 * @differs Without symbolic sizes, an operator whose result's size depends on data always refuses.
 */
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { str } from "#python/Objects/object";
import { Tag, THPDevice_pynew } from "#torch/_C";
import { bind, global_decomposition_table } from "#torch/_decomp/index";
import { NotImplemented, type OpOverload, ops } from "#torch/_ops";
import type { Reference } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import "./fake_assertions.ts";
import { by_name, call, type Keywords } from "./fake_tensor/call_arguments.ts";
import { DataDependentOutputException, DynamicOutputShapeException } from "./fake_tensor/exceptions.ts";
import { FakeTensor, type FakeTensorMode, has_meta } from "./fake_tensor/index.ts";
import { in_kernel_invocation } from "./fake_tensor/kernel_invocation.ts";
import { type OpImplementation, register_op_impl } from "./fake_tensor/op_implementations.ts";

type Device = Tensor["device"];
const device_of = (value: unknown): Device => THPDevice_pynew(value as never) as Device;
const META = device_of("meta");

// Factories ---------------------------------------------------------------------------------------------------------------

const LIKE = new Set(
  `empty_like full_like ones_like rand_like rand_like.generator randn_like randn_like.generator randint_like randint_like.generator
  randint_like.Tensor randint_like.Tensor_generator randint_like.low_dtype randint_like.low_generator_dtype zeros_like new_empty
  new_empty_strided new_full new_zeros new_ones`
    .split(/\s+/)
    .map((name) => `aten::${name}`),
);

const is_tensor_constructor = ({ _schema }: OpOverload): boolean =>
  _schema.returns.length === 1 &&
  String(_schema.returns[0].type) === "Tensor" &&
  !_schema.arguments.some(({ type }) => String(type).includes("Tensor"));

/** Makes the tensor on "meta", and says that it is on the device that the call asks for. */
const constructors: OpImplementation = (fake_mode, func, args, kwargs) => {
  const like = LIKE.has(func.name()) ? (args[0] as FakeTensor) : null;
  const device = kwargs["device"] ?? like?.device ?? "cpu";
  const meta = in_kernel_invocation(fake_mode, () => call(func, args, { ...kwargs, device: META })) as Tensor;
  return new FakeTensor(fake_mode, meta, device_of(device));
};

register_op_impl((func) => LIKE.has(func.name()) || is_tensor_constructor(func), constructors);

register_op_impl("is_pinned", (fake_mode, func, args) => in_kernel_invocation(fake_mode, () => func(args[0])));

register_op_impl("to.prim_Device to.device", (fake_mode, func, args, kwargs) => {
  const { self, device, ...others } = by_name(func, args, kwargs) as { self: FakeTensor; device?: unknown };
  const meta = in_kernel_invocation(fake_mode, () => func(self, { ...others, device: META })) as Tensor;
  return fake_mode.fake_tensor_converter.from_meta_and_device(
    fake_mode,
    meta,
    device ? device_of(device) : self.device,
  );
});

// Results that depend on data ------------------------------------------------------------------------------------------------

const refuse_dynamic: OpImplementation = (_mode, func) => {
  throw new DynamicOutputShapeException(func);
};
const refuse_data_dependent: OpImplementation = (_mode, func) => {
  throw new DataDependentOutputException(func);
};

register_op_impl("repeat_interleave.Tensor", (_mode, func, args, kwargs) => {
  const { repeats, output_size } = by_name(func, args, kwargs) as { repeats: FakeTensor; output_size?: number | null };
  if (output_size == null) throw new DynamicOutputShapeException(func);
  return repeats.new_empty(output_size);
});

/** While a program is exported, the number has a name; what the program does with it decides. */
const local_scalar_dense: OpImplementation = (fake_mode, func, args) => {
  const { shape_env } = fake_mode;
  if (shape_env === null) throw new DataDependentOutputException(func);
  const { dtype } = args[0] as FakeTensor;
  if (dtype.is_complex) throw new NotImplementedError(`local_scalar_dense/item NYI for ${String(dtype)}`);
  if (dtype.is_floating_point) return shape_env.create_unbacked_symfloat();
  return dtype === torch.bool ? shape_env.create_unbacked_symbool() : shape_env.create_unbacked_symint();
};
register_op_impl("item _local_scalar_dense", local_scalar_dense);
register_op_impl("nonzero bincount _pack_padded_sequence", refuse_dynamic);
register_op_impl("nonzero_numpy", (_mode, _func, [self]) => (ops.aten.nonzero.default(self) as Tensor).unbind(1));

/** A mask as an index stands for the places where it is true. */
register_op_impl("index.Tensor", (_mode, _func, args) => {
  const masks = (args[1] as (Tensor | null)[]).some((i) => i?.dtype === torch.bool || i?.dtype === torch.uint8);
  if (masks) throw new DynamicOutputShapeException(ops.aten.nonzero.default as OpOverload);
  return NotImplemented;
});

register_op_impl(
  (func) => func.tags.includes(Tag.dynamic_output_shape) && func.name() !== "aten::index.Tensor",
  refuse_dynamic,
);
register_op_impl((func) => func.tags.includes(Tag.data_dependent_output), refuse_data_dependent);

// Results that depend on the device ------------------------------------------------------------------------------------------

/** These functions ask for the device, so they run as part of the program and not as a Meta kernel. */
register_op_impl(
  "native_batch_norm _native_batch_norm_legit _native_batch_norm_legit.no_stats _batch_norm_with_update native_layer_norm",
  (fake_mode, func, args, kwargs) => {
    const name = func.name().slice("aten::".length);
    const fn = global_decomposition_table.post_autograd.get(name) as Reference;
    return fake_mode.with(() => call(bind(func, fn), args, kwargs));
  },
);

register_op_impl("nonzero_static", (fake_mode, func, args, kwargs) => {
  const { self, size } = by_name(func, args, kwargs) as { self: FakeTensor; size: number };
  return fake_mode.with(() => torch.empty([size, self.dim()], { dtype: torch.int64, device: self.device }));
});

// Arguments on several devices ------------------------------------------------------------------------------------------------

function on_device_of_self(
  fake_mode: FakeTensorMode,
  func: OpOverload,
  args: readonly unknown[],
  kwargs: Keywords,
): unknown {
  const device = (args[0] as FakeTensor).device;
  const out = in_kernel_invocation(fake_mode, () => call(func, args, kwargs));
  return out === args[0] ? out : fake_mode.fake_tensor_converter.from_meta_and_device(fake_mode, out as Tensor, device);
}

register_op_impl("_unsafe_index_put copy copy_ slice_scatter diagonal_scatter", on_device_of_self);

register_op_impl("index_put index_put_", (fake_mode, func, args, kwargs) => {
  const [self, , values] = args as [FakeTensor, unknown, FakeTensor];
  const fits = String(self.fake_device) === String(values.fake_device) || (values.dim() === 0 && values.numel() === 1);
  if (!fits)
    throw new RuntimeError(
      `Mismatching ${str(func)} device between self (${self.fake_device}) and values (${values.device})`,
    );
  return on_device_of_self(fake_mode, func, args, kwargs);
});

/** The lists of a `_foreach` operator are pairwise on one device. */
register_op_impl(
  (func) => func.name().startsWith("aten::_foreach_") && has_meta(func),
  (fake_mode, func, args, kwargs) => {
    const out = in_kernel_invocation(fake_mode, () => call(func, args, kwargs)) as Tensor[] | null | undefined;
    if (out === null || out === undefined) return null;
    const first = args[0] as FakeTensor[];
    const { fake_tensor_converter: converter } = fake_mode;
    return out.map((t, i) =>
      fake_mode.is_our_fake(t) ? t : converter.from_meta_and_device(fake_mode, t, first[i].device),
    );
  },
);
