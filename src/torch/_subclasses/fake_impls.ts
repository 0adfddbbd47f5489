/**
 * @file Operators whose fake result does not follow from their Meta kernel alone: factories, conversions, results that depend on data,
 * arguments on several devices.
 * @mirrors torch/_subclasses/fake_impls.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { str } from "#python/Objects/object";
import { Tag, THPDevice_pynew } from "#torch/_C";
import { bind, global_decomposition_table } from "#torch/_decomp/index";
import { NotImplemented, type OpOverload } from "#torch/_ops";
import type { Reference } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import "./fake_assertions.ts";
import "./fake_dynamic.ts";
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

register_op_impl("_pack_padded_sequence", refuse_dynamic);
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

const MODE_SUM = 0;
const MODE_MAX = 2;

/** On the CPU, sums of whole rows need no table of the bag of each index; that table is empty then. */
const embedding_bag_on_cpu: OpImplementation = (fake_mode, func, args, kwargs) => {
  const { weight, indices, offsets, ...given } = by_name(func, args, kwargs) as Readonly<
    Record<"weight" | "indices" | "offsets", FakeTensor> & Record<string, unknown>
  >;
  if (offsets.fake_device.type !== "cpu") return NotImplemented;
  const { mode = MODE_SUM, per_sample_weights, padding_idx = -1 } = given;
  const meta = in_kernel_invocation(fake_mode, () => call(func, args, kwargs)) as Tensor[];
  const output = fake_mode.fake_tensor_converter.from_meta_and_device(fake_mode, meta[0], weight.fake_device);
  const scale = (per_sample_weights ?? null) as Tensor | null;
  const adds_rows =
    (weight.dtype === torch.float32 || weight.dtype === torch.float16) &&
    weight.stride(1) === 1 &&
    output.stride(1) === 1 &&
    (padding_idx as number) < 0 &&
    (scale === null || scale.stride(0) === 1);
  return fake_mode.with(() => {
    const num_bags = output.shape[0];
    const bag_size = offsets.new_empty([num_bags]);
    const max_indices = offsets.new_empty(mode === MODE_MAX ? [num_bags, weight.shape[1]] : [num_bags]);
    const offset2bag = offsets.new_empty([mode === MODE_SUM && adds_rows ? 0 : indices.shape[0]]);
    const is_forward_only = func.name() === "aten::_embedding_bag_forward_only";
    return [output, offset2bag, is_forward_only ? offsets.new_empty([...offsets.shape]) : bag_size, max_indices];
  });
};
register_op_impl("_embedding_bag _embedding_bag_forward_only", embedding_bag_on_cpu);

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
