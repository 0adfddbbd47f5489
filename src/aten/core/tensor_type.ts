/**
 * @file Tensor types that know something: dtype, device, sizes, strides, whether gradients are required, whether the value is undefined.
 * @mirrors aten/src/ATen/core/jit_type.h#TensorType
 * @differs Sizes without a number have no symbol (`SS(-1)`); PyTorch numbers them for symbolic shape analysis.
 */
import type { TensorBase } from "#aten/core/TensorBase";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Layout } from "#c10/core/Layout";
import { is_channels_last_strides_2d, is_channels_last_strides_3d } from "#c10/core/MemoryFormat";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { TensorType, Type, type WhyNot } from "./jit_type.ts";

/** Numbers that may be unknown, one a dimension; null if even their count is unknown. */
export type VaryingShape = readonly (number | null)[] | null;

/** Known facts of one dimension's stride. The list of them runs from the innermost dimension to the outermost. */
export interface Stride {
  /** The dimension. */
  readonly stride_index_: number | null;
  /** Whether the dimension follows the one before it without a gap. */
  readonly contiguous_: boolean | null;
  readonly stride_: number | null;
}

/** The facts of a tensor type; null is "not known". */
export interface TensorFacts {
  readonly scalarType: ScalarType | null;
  readonly device: Device | null;
  readonly sizes: VaryingShape;
  readonly stride_properties: readonly (Stride | null)[] | null;
  readonly requiresGrad: boolean | null;
  readonly undefined: boolean | null;
}

const nothing: TensorFacts = {
  scalarType: null,
  device: null,
  sizes: null,
  stride_properties: null,
  requiresGrad: null,
  undefined: null,
};

/** A tensor type with at least one fact; the type without any is `TensorType`. */
class RefinedTensorType extends Type {
  readonly facts: TensorFacts;
  private readonly key_: string;

  constructor(facts: TensorFacts) {
    super("TensorType", "Tensor");
    this.facts = facts;
    this.key_ = key_of(facts);
  }

  override key(): string {
    return this.key_;
  }

  override isSubtypeOfExt(rhs: Type, why_not: WhyNot): boolean {
    if (this === rhs) return true;
    if (rhs.kind() !== "TensorType") return this.isSubtypeOfAnyKind(rhs, why_not);
    return rhs.key() === TensorType.key() || merge(this, rhs).equals(rhs);
  }
}

function key_of(facts: TensorFacts): string {
  const strides = facts.stride_properties?.map((s) =>
    s === null ? "*" : `${s.stride_index_}/${s.contiguous_}/${s.stride_}`,
  );
  return `${facts.scalarType} ${facts.device} (${facts.sizes?.join(",") ?? "?"}) [${strides?.join(",") ?? "?"}] ${facts.requiresGrad} ${facts.undefined}`;
}

/** The type of an argument without annotation: `Tensor`, but messages say that nobody wrote it. */
class Inferred extends Type {
  override repr_str(): string {
    return "Tensor (inferred)";
  }
}
export const InferredTensorType: Type = new Inferred("TensorType", "Tensor");

export function isInferredType(type: Type): boolean {
  return type === InferredTensorType;
}

/** The facts of a type of kind TensorType. */
export function tensor_facts(type: Type): TensorFacts {
  TORCH_INTERNAL_ASSERT(type.kind() === "TensorType", `Expected TensorType but got ${type.kind()}`);
  return type instanceof RefinedTensorType ? type.facts : nothing;
}

/** The tensor type with exactly these facts. */
export function tensor_type_of(facts: TensorFacts): Type {
  const known =
    facts.scalarType !== null ||
    facts.device !== null ||
    facts.sizes !== null ||
    facts.stride_properties !== null ||
    facts.requiresGrad !== null ||
    facts.undefined !== null;
  return known ? new RefinedTensorType(facts) : TensorType;
}

/** The type with some facts replaced. */
export function with_facts(type: Type, changes: Partial<TensorFacts>): Type {
  return tensor_type_of({ ...tensor_facts(type), ...changes });
}

/**
 * `sizes` (D1, ..., Dn) and `strides` of one length, in elements.
 * @param strides If one of them is unknown, none is kept.
 */
export function create_tensor_type(
  scalarType: ScalarType | null,
  device: Device | null,
  sizes: VaryingShape,
  strides: VaryingShape,
  requiresGrad: boolean | null,
  options: { undefined?: boolean | null; tensor_contiguity?: boolean } = {},
): Type {
  const concrete = concrete_sizes(strides);
  const concreteSizes = concrete_sizes(sizes);
  let stride_properties: (Stride | null)[] | null = null;
  if (concrete !== null && concrete.length > 0 && concreteSizes !== null)
    stride_properties = computeStrideProps(concreteSizes, concrete, options.tensor_contiguity ?? false);
  else if (sizes !== null) stride_properties = sizes.map(() => null);
  return tensor_type_of({
    scalarType,
    device,
    sizes,
    stride_properties,
    requiresGrad,
    undefined: options.undefined ?? null,
  });
}

/** The type with the dtype and device, `dim` unknown sizes, and nothing about strides. */
export function create_with_dim(
  scalarType: ScalarType | null,
  device: Device | null,
  dim: number | null,
  requiresGrad: boolean | null,
): Type {
  const sizes = dim === null ? null : new Array<null>(dim).fill(null);
  return tensor_type_of({
    scalarType,
    device,
    sizes,
    stride_properties: sizes,
    requiresGrad,
    undefined: null,
  });
}

/** The type that describes a tensor whole. */
export function tensor_type_from(t: TensorBase): Type {
  if (t.layout() !== Layout.Strided) {
    return tensor_type_of({
      ...nothing,
      scalarType: t.scalar_type(),
      device: t.device(),
      requiresGrad: t.requires_grad(),
      undefined: false,
    });
  }
  return create_tensor_type(t.scalar_type(), t.device(), [...t.sizes()], [...t.strides()], t.requires_grad(), {
    undefined: false,
    tensor_contiguity: t.is_non_overlapping_and_dense(),
  });
}

/** The type with strides of a dense row-major tensor. */
export function createContiguous(scalarType: ScalarType, device: Device, sizes: readonly number[]): Type {
  return create_tensor_type(scalarType, device, sizes, contiguousStridesOf(sizes), null);
}

/** The type of the 0-dim tensor that a number becomes. */
export function fromNumberType(type: Type): Type {
  const dtype = dtypes_of_numbers.get(type.kind());
  if (dtype !== undefined) return createContiguous(dtype, Device.of(DeviceType.CPU), []);
  TORCH_INTERNAL_ASSERT(type.kind() === "NumberType", `Unknown number type: ${type.str()}`);
  return create_tensor_type(null, Device.of(DeviceType.CPU), [], [], null);
}

const dtypes_of_numbers = new Map<string, ScalarType>([
  ["IntType", ScalarType.Long],
  ["FloatType", ScalarType.Double],
  ["BoolType", ScalarType.Bool],
  ["ComplexType", ScalarType.ComplexDouble],
]);

export function contiguousStridesOf(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length).fill(1);
  for (let i = sizes.length - 2; i >= 0; i--) strides[i] = strides[i + 1] * Math.max(sizes[i + 1], 1);
  return strides;
}

/** The sizes, if each is known. */
export function concrete_sizes(shape: VaryingShape): readonly number[] | null {
  return shape?.every((size) => size !== null) === true ? (shape as readonly number[]) : null;
}

/** The stride of each dimension, in elements. */
export function strides_of(facts: TensorFacts): VaryingShape {
  if (facts.stride_properties === null) return null;
  const strides = new Array<number | null>(facts.stride_properties.length).fill(null);
  for (const property of facts.stride_properties)
    if (property !== null && property.stride_index_ !== null) strides[property.stride_index_] = property.stride_;
  return strides;
}

/** Whether dtype, device, sizes, strides, and whether gradients are required are all known. */
export function isComplete(type: Type): boolean {
  const facts = tensor_facts(type);
  return (
    facts.scalarType !== null &&
    facts.device !== null &&
    concrete_sizes(facts.sizes) !== null &&
    concrete_sizes(strides_of(facts)) !== null
  );
}

/** The type without sizes and strides: only their count stays. */
export function dimensionedOnly(type: Type): Type {
  const { sizes } = tensor_facts(type);
  const unknown = sizes?.map(() => null) ?? null;
  return with_facts(type, { sizes: unknown, stride_properties: unknown });
}

/** The facts on which both types agree. */
export function merge(a: Type, b: Type, merge_sizes = true): Type {
  const x = tensor_facts(a);
  const y = tensor_facts(b);
  const sameDevice = String(x.device) === String(y.device);
  return tensor_type_of({
    scalarType: agreed(x.scalarType, y.scalarType),
    device: sameDevice ? x.device : null,
    sizes: merge_sizes ? mergeLists(x.sizes, y.sizes, agreed) : x.sizes,
    stride_properties: mergeLists(x.stride_properties, y.stride_properties, mergeStrides),
    requiresGrad: agreed(x.requiresGrad, y.requiresGrad),
    undefined: agreed(x.undefined, y.undefined),
  });
}

function agreed<T>(a: T | null, b: T | null): T | null {
  return a === b ? a : null;
}

function mergeLists<T>(
  a: readonly (T | null)[] | null,
  b: readonly (T | null)[] | null,
  mergeElements: (a: T | null, b: T | null) => T | null,
): readonly (T | null)[] | null {
  if (a === null || b === null || a.length !== b.length) return null;
  return a.map((element, i) => mergeElements(element, b[i]));
}

const unknownStride: Stride = { stride_index_: null, contiguous_: null, stride_: null };

function mergeStrides(a: Stride | null, b: Stride | null): Stride | null {
  const x = a ?? unknownStride;
  const y = b ?? unknownStride;
  const merged: Stride = {
    stride_index_: agreed(x.stride_index_, y.stride_index_),
    contiguous_: agreed(x.contiguous_, y.contiguous_),
    stride_: agreed(x.stride_, y.stride_),
  };
  const known = merged.stride_index_ !== null || merged.contiguous_ !== null || merged.stride_ !== null;
  return known ? merged : null;
}

/** Orders dimensions from the innermost to the outermost, and says of each whether it follows the one before it. */
function computeStrideProps(
  sizes: readonly number[],
  strides: readonly number[],
  tensor_contiguity: boolean,
): (Stride | null)[] {
  const n_dim = sizes.length;
  let order: number[];
  let has_overlap = false;
  if (is_channels_last_strides_2d(sizes, strides) || is_channels_last_strides_3d(sizes, strides)) {
    order = [1, ...Array.from({ length: n_dim - 2 }, (_, i) => n_dim - 1 - i), 0];
  } else if (contiguousStridesOf(sizes).every((stride, i) => stride === strides[i])) {
    order = Array.from(sizes, (_, i) => n_dim - 1 - i);
  } else {
    order = orderByStride(sizes, strides);
    if (!tensor_contiguity) has_overlap = possible_cross_dimension_overlap(sizes, strides, order);
  }
  return order.map((dim, i) => {
    let contiguous = tensor_contiguity;
    if (!contiguous && !has_overlap) {
      const inner = order[i - 1];
      contiguous =
        strides[dim] === 1 || (i > 0 && strides[dim] !== 0 && strides[dim] === strides[inner] * sizes[inner]);
    }
    return { stride_index_: dim, contiguous_: contiguous, stride_: strides[dim] };
  });
}

/** Sorts by stride, the smallest first; a broadcast dimension (stride 0) compares with none and keeps its place. */
function orderByStride(sizes: readonly number[], strides: readonly number[]): number[] {
  const order = sizes.map((_, i) => sizes.length - 1 - i);
  const compare = (a: number, b: number): number => {
    if (strides[a] === 0 || strides[b] === 0) return 0;
    if (strides[a] !== strides[b]) return Math.sign(strides[a] - strides[b]);
    return sizes[a] > sizes[b] ? 1 : 0;
  };
  for (let i = 1; i < order.length; i++) {
    let dim1 = i;
    for (let dim0 = i - 1; dim0 >= 0; dim0--) {
      const comparison = compare(order[dim0], order[dim1]);
      if (comparison > 0) {
        [order[dim0], order[dim1]] = [order[dim1], order[dim0]];
        dim1 = dim0;
      } else if (comparison < 0) {
        break;
      }
    }
  }
  return order;
}

function possible_cross_dimension_overlap(
  sizes: readonly number[],
  strides: readonly number[],
  order: readonly number[],
): boolean {
  const ascending = [...order].sort((a, b) => strides[a] - strides[b]);
  for (let i = 1; i < ascending.length; i++) {
    const inner = ascending[i - 1];
    const outer = ascending[i];
    if (sizes[outer] !== 1 && strides[outer] < sizes[inner] * strides[inner]) return true;
  }
  return false;
}

/** The spelling in graphs: `Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)`. */
export function print_tensor_type(type: Type): string {
  const facts = tensor_facts(type);
  let text = facts.scalarType === null ? "Tensor" : toString(facts.scalarType);
  if (facts.scalarType !== null && facts.sizes === null) text += "Tensor";
  const parts: string[] = [];
  if (facts.sizes !== null) {
    parts.push(...facts.sizes.map((size) => (size === null ? "*" : String(size))));
    const strides = concrete_sizes(strides_of(facts));
    if (strides !== null && strides.length > 0 && strides.length === facts.sizes.length)
      parts.push(`strides=[${strides.join(", ")}]`);
  }
  if (facts.requiresGrad !== null) parts.push(`requires_grad=${Number(facts.requiresGrad)}`);
  if (facts.device !== null) parts.push(`device=${facts.device}`);
  if (parts.length > 0 || facts.sizes !== null) text += `(${parts.join(", ")})`;
  return facts.undefined === true ? `${text}[Undefined]` : text;
}
