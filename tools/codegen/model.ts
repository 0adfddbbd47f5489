/**
 * @file The model of an operator for the other parts of the generator: its schema, its YAML fields, and the kernels of
 * each backend.
 * @mirrors torchgen/model.py
 */

import type { Argument } from "./arguments.ts";
import type { Place } from "./errors.ts";
import type { FunctionSchema } from "./function_schema.ts";
import type { OperatorName } from "./operator_name.ts";

/** The keys for which this library builds kernels; a dispatch entry for any other known key is read, checked and dropped. */
export const BUILT_DISPATCH_KEYS = [
  "CPU",
  "Meta",
  "CompositeImplicitAutograd",
  "CompositeExplicitAutograd",
  "CompositeExplicitAutogradNonFunctional",
  "ZeroTensor",
] as const;

/** Keys of backends outside the library, which have lists of their own (gen_backend_stubs.ts). */
export const EXTERNAL_DISPATCH_KEYS = ["PrivateUse1", "AutogradPrivateUse1"] as const;
export type DispatchKey = (typeof BUILT_DISPATCH_KEYS | typeof EXTERNAL_DISPATCH_KEYS)[number];

/** Keys in PyTorch's YAML that nothing here implements. They still show that an operator is not composite. */
export const OTHER_DISPATCH_KEYS: readonly string[] = [
  "CUDA",
  "XPU",
  "MPS",
  "HPU",
  "MTIA",
  "XLA",
  "MkldnnCPU",
  "PrivateUse1",
  "CompositeImplicitAutogradNestedTensor",
  "SparseCPU",
  "SparseCUDA",
  "SparseXPU",
  "SparseMPS",
  "SparseMeta",
  "SparseCsrCPU",
  "SparseCsrCUDA",
  "SparseCsrXPU",
  "SparseCsrMPS",
  "SparseCsrMeta",
  "QuantizedCPU",
  "QuantizedCUDA",
  "QuantizedXPU",
  "QuantizedMeta",
  "NestedTensorCPU",
  "NestedTensorCUDA",
  "NestedTensorXPU",
  "NestedTensorMeta",
  "NestedTensorHPU",
];

export const COMPOSITE_DISPATCH_KEYS: readonly DispatchKey[] = [
  "CompositeImplicitAutograd",
  "CompositeExplicitAutograd",
  "CompositeExplicitAutogradNonFunctional",
];

/** Keys under which `structured: True` means a meta / impl pair. */
export const STRUCTURED_DISPATCH_KEYS: readonly DispatchKey[] = ["CPU"];
/** Keys for which `ufunc_inner_loop` writes the kernel. */
export const UFUNC_DISPATCH_KEYS: readonly DispatchKey[] = ["CPU"];

export type Variant = "function" | "method";
export type DeviceCheckType = "NoCheck" | "ExactSame";

/** `dim -> int dim, bool contiguous`: values that meta computes and impl receives. */
export interface Precompute {
  /** The arguments that replace an argument of the schema. */
  readonly replace: ReadonlyMap<string, readonly Argument[]>;
  /** Arguments that are passed in addition and replace none. */
  readonly add: readonly Argument[];
}

/** Sets of dtypes over which a scalar function is looped: `Generic` also has vectors, `ScalarOnly` one element at a time. */
export const UFUNC_KEYS = [
  "CUDAFunctor",
  "CUDAFunctorOnOther",
  "CUDAFunctorOnSelf",
  "CPUScalar",
  "CPUVector",
  "ScalarOnly",
  "Generic",
] as const;
export type UfuncKey = (typeof UFUNC_KEYS)[number];

export interface UfuncInnerLoop {
  readonly name: string;
  readonly supported_dtypes: readonly string[];
  readonly ufunc_key: UfuncKey;
}

export interface BackendMetadata {
  /** The native function (or structured class without its prefix) that implements the operator. */
  readonly kernel: string;
  readonly structured: boolean;
  /** A backend's settings for its kernel that differ from the operator's own entry. */
  readonly device_check?: DeviceCheckType;
  /** The place where the YAML names it, for messages. */
  readonly place: Place;
  /** Whether the kernel is the library's own: it calls stubs, which serve every device. */
  readonly shared?: boolean;
}

export interface NativeFunctionFields {
  readonly namespace: string;
  readonly func: FunctionSchema;
  readonly use_const_ref_for_mutable_tensors: boolean;
  readonly device_guard: boolean;
  readonly device_check: DeviceCheckType;
  readonly python_module: string | null;
  readonly category_override: string | null;
  readonly variants: ReadonlySet<Variant>;
  readonly manual_kernel_registration: boolean;
  readonly manual_cpp_binding: boolean;
  readonly loc: Place;
  /** Name of its YAML entry: its own, or its base's if `autogen` made it. */
  readonly entry: string;
  readonly autogen: readonly OperatorName[];
  readonly ufunc_inner_loop: ReadonlyMap<UfuncKey, UfuncInnerLoop>;
  readonly structured: boolean;
  readonly structured_delegate: OperatorName | null;
  readonly structured_inherits: string | null;
  readonly precomputed: Precompute | null;
  readonly cpp_no_default_args: ReadonlySet<string>;
  /** Whether no kernel serves every backend through autograd by itself: then the operator needs a derivative formula. */
  readonly is_abstract: boolean;
  readonly has_composite_implicit_autograd_kernel: boolean;
  readonly has_composite_explicit_autograd_kernel: boolean;
  readonly has_composite_explicit_autograd_non_functional_kernel: boolean;
  readonly tags: ReadonlySet<string>;
}

export interface NativeFunction extends NativeFunctionFields {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every field of the interface
export class NativeFunction {
  constructor(fields: NativeFunctionFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  get has_composite_kernel(): boolean {
    return (
      this.has_composite_implicit_autograd_kernel ||
      this.has_composite_explicit_autograd_kernel ||
      this.has_composite_explicit_autograd_non_functional_kernel
    );
  }

  get root_name(): string {
    return this.func.name.name.base;
  }

  get part_of_structured_group(): boolean {
    return this.structured || this.structured_delegate !== null;
  }

  get generated(): boolean {
    return this.tags.has("generated");
  }

  /**
   * Whether the result shares storage with an input. An operator tagged `inplace_view` whose functional or out form is
   * listed under `autogen` (`resize_`, `set_`) counts as a write, not as a view.
   */
  get is_view_op(): boolean {
    const returns_alias = this.func.returns.some((r) => r.annotation !== null && !r.annotation.is_write);
    const inplace_view = this.tags.has("inplace_view") && this.autogen.length === 0;
    const wildcard = this.func.arguments.flat_all.some((a) => a.annotation?.alias_set_after.includes("*") ?? false);
    return returns_alias || inplace_view || wildcard;
  }

  /** The `func:` line. */
  toString(): string {
    return String(this.func);
  }
}

/** The variants of one operator, related by a common signature; the out variant computes the others. */
export interface NativeFunctionsGroup {
  readonly functional: NativeFunction;
  readonly inplace: NativeFunction | null;
  readonly mutable: NativeFunction | null;
  readonly out: NativeFunction;
  readonly structured: boolean;
}

export function is_group(g: NativeFunction | NativeFunctionsGroup): g is NativeFunctionsGroup {
  return !(g instanceof NativeFunction);
}

/** functional, out, in-place, mutable: the order in which wrappers are written. */
export function functions_of(g: NativeFunction | NativeFunctionsGroup): NativeFunction[] {
  if (!is_group(g)) return [g];
  return [g.functional, g.out, g.inplace, g.mutable].filter((f) => f !== null);
}

/** Settings of a backend outside the library for all its kernels; those of the library's backends have the same form. */
export interface BackendTraits {
  /** Whether the other variants of a group are derived from the out variant; else from the functional one. */
  readonly use_out_as_primary: boolean;
  /** Whether wrappers make the tensors' device current, and check that it is the same for all. */
  readonly device_guard: boolean;
  /** The C++ namespace: `at::native::webgpu`. Traces show kernels in it. */
  readonly cpp_namespace: string;
}

export const IN_TREE: BackendTraits = { use_out_as_primary: true, device_guard: false, cpp_namespace: "at::native" };

/** The kernels of one dispatch key. */
export class BackendIndex {
  readonly dispatch_key: DispatchKey;
  readonly traits: BackendTraits;
  private readonly index: ReadonlyMap<string, BackendMetadata>;

  constructor(dispatch_key: DispatchKey, index: ReadonlyMap<string, BackendMetadata>, traits: BackendTraits = IN_TREE) {
    this.dispatch_key = dispatch_key;
    this.index = index;
    this.traits = traits;
  }

  private primary(g: NativeFunctionsGroup): NativeFunction {
    return this.traits.use_out_as_primary ? g.out : g.functional;
  }

  get_kernel(g: NativeFunction | NativeFunctionsGroup): BackendMetadata | null {
    return this.index.get(String((is_group(g) ? this.primary(g) : g).func.name)) ?? null;
  }

  has_kernel(g: NativeFunction | NativeFunctionsGroup): boolean {
    return this.get_kernel(g) !== null;
  }

  entries(): IterableIterator<[string, BackendMetadata]> {
    return this.index.entries();
  }
}

/** The content of the YAML, with generated operators. */
export interface ParsedYaml {
  /** In YAML order; generated ones follow. */
  readonly native_functions: readonly NativeFunction[];
  readonly grouped: readonly (NativeFunction | NativeFunctionsGroup)[];
  readonly backend_indices: ReadonlyMap<DispatchKey, BackendIndex>;
  readonly valid_tags: ReadonlySet<string>;
}
