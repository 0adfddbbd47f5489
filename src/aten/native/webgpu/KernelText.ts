/**
 * @file Class of hand-written kernels. Their WGSL accesses elements by operand name, `load_x(i)` and `store_y(i,
 * value)`, whatever the dtypes and memory segments of the operands are.
 *
 *   const copy_rows = new GpuKernel("copy_rows", { reads: ["src"], writes: ["dst"], fields: ["n: u32"], workgroup_size: [64, 1, 1], code });
 *   copy_rows.launch(0, [src, dst], [n], groups, 1, 1);
 *
 * @original CUDA's kernels are templates over element types and take pointers.
 * @see MemoryAccess.ts; c10/webgpu/interface.ts, Note [What a kernel's text must look like]
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { dtype_name } from "#aten/webgpu/dtypes";
import { helpers_for } from "#aten/webgpu/wgsl/helpers";
import { type_of } from "#aten/webgpu/wgsl/printer";
import { elementSize, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { Access, type DeviceMemory, type KernelSource, type Launch, type WebGPUDevice } from "#c10/webgpu/interface";
import { get_device } from "#c10/webgpu/WebGPUFunctions";
import { here, in_bounds, kernel_assert } from "./KernelAssert.ts";
import { binding, exchange, load, per_word, store, type WordType } from "./MemoryAccess.ts";

/** Everything that the text of a kernel may depend on. */
export interface KernelContext {
  /** A number chosen by the driver. */
  readonly variant: number;
  /** Dtype of each operand; undefined if the operand is absent. */
  readonly dtypes: readonly (ScalarType | undefined)[];
  /** Type in which an operand is computed: `f32`, `i32` or `vec2<u32>`. */
  type(operand: string): string;
  has(operand: string): boolean;
}

export interface KernelSpec {
  /** Operands that are read, then operands that are written. An operand in both lists is read and written. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /**
   * Parameters in addition to the operands' offsets, for example `n: u32`; types are f32, i32 or u32. They may depend
   * on the variant.
   */
  readonly fields: readonly string[] | ((context: KernelContext) => readonly string[]);
  readonly workgroup_size:
    | readonly [number, number, number]
    | ((context: KernelContext) => readonly [number, number, number]);
  /** Dtypes that the first operand may have; all if absent. */
  readonly takes?: (dtype: ScalarType) => boolean;
  /** Name of the operator in index errors. The text may then call `in_bounds(index, limit)` with an i32 and a u32. */
  readonly asserts?: string;
  /**
   * Conditions that the kernel asserts, written as in CUDA's kernel: `kernel_assert(condition, k)` refers to the k-th.
   */
  readonly conditions?: readonly string[];
  /** WGSL functions, and the body of `main`. */
  readonly code: (context: KernelContext) => { readonly declarations?: string; readonly main: string };
}

/** Part of a tensor's memory: the first element, and the range that the kernel may access. */
export interface OperandView {
  readonly memory: DeviceMemory;
  readonly dtype: ScalarType;
  /** Position of the first element, in elements. */
  readonly offset: number;
  /** Number of elements that the kernel may access before the first one, and from it on. */
  readonly below: number;
  readonly above: number;
}

/** A device tensor as an operand. Precondition: it has elements. */
export function view_of(tensor: Tensor): OperandView {
  const impl = tensor.impl_;
  const sizes = impl.sizes();
  const strides = impl.strides();
  let above = 1;
  for (let d = 0; d < sizes.length; d++) above += (sizes[d] - 1) * strides[d];
  const memory = impl.storage().data_ptr().get_context() as DeviceMemory; // it was made by the device's allocator
  return { memory, dtype: impl.dtype(), offset: impl.storage_offset(), below: 0, above };
}

/** Kernel ids by variant, dtypes and layout, for one device. */
interface Compiled {
  readonly device: WebGPUDevice;
  readonly ids: Map<number, Map<number, Map<number, Entry>>>;
}

interface Entry {
  readonly id: number;
  /** Whether a field is written as a float, for each field. */
  readonly floats: readonly boolean[];
}

export class GpuKernel {
  readonly name: string;
  private readonly spec: KernelSpec;
  private compiled: Compiled | null = null;

  constructor(name: string, spec: KernelSpec) {
    this.name = name;
    this.spec = spec;
  }

  /**
   * `operands` in the order of the spec, null for an absent one. `values` in the order of the spec's fields. The caller
   * must split a grid that is too large for one dimension: see `folded`.
   */
  launch(
    variant: number,
    operands: readonly (OperandView | null)[],
    values: readonly number[],
    x: number,
    y: number,
    z: number,
  ): void {
    const device = get_device();
    const { launch } = device;
    launch.begin();
    let dtypes = 0;
    const reads = this.spec.reads.length;
    for (let k = 0; k < operands.length; k++) {
      const op = operands[k];
      dtypes = dtypes * 32 + (op === null ? 31 : op.dtype);
      if (op === null) continue;
      const size = elementSize(op.dtype);
      const access = k < reads ? Access.read : Access.read_write;
      launch.operand(op.memory, (op.offset - op.below) * size, (op.below + op.above) * size, access);
    }
    if (this.spec.asserts !== undefined) launch.assertion_operand();
    if (this.compiled === null || this.compiled.device !== device) this.compiled = { device, ids: new Map() };
    const layout = launch.layout();
    const entry =
      this.compiled.ids.get(variant)?.get(dtypes)?.get(layout) ?? this.compile(variant, operands, dtypes, layout);
    let at = 0;
    let bound = 0;
    for (let k = 0; k < operands.length; k++) {
      const op = operands[k];
      if (op === null) continue;
      launch.u32[at++] = launch.offset(bound++) / elementSize(op.dtype) + op.below;
    }
    if (this.spec.asserts !== undefined) launch.u32[at++] = device.assertion(this.spec.asserts, this.spec.conditions);
    for (let k = 0; k < values.length; k++, at++) {
      if (entry.floats[k]) launch.f32[at] = values[k];
      else launch.i32[at] = values[k];
    }
    launch.run(entry.id, x, y, z, at);
  }

  private compile(variant: number, operands: readonly (OperandView | null)[], dtypes: number, layout: number): Entry {
    const { device, ids } = this.compiled as Compiled;
    const dtype = (operands[0] as OperandView).dtype;
    const takes = this.spec.takes?.(dtype) ?? true;
    TORCH_CHECK_NOT_IMPLEMENTED(takes, `"${this.name}_webgpu" not implemented for '${toString(dtype)}'`);
    const text = new HandWrittenText(this.name, this.spec, variant, operands, device.launch);
    const entry = { id: device.register(text.source()), floats: text.fields.map((field) => field.endsWith(": f32")) };
    let by_dtypes = ids.get(variant);
    if (by_dtypes === undefined) ids.set(variant, (by_dtypes = new Map()));
    let by_layout = by_dtypes.get(dtypes);
    if (by_layout === undefined) by_dtypes.set(dtypes, (by_layout = new Map()));
    by_layout.set(layout, entry);
    return entry;
  }
}

class HandWrittenText implements KernelContext {
  readonly variant: number;
  readonly dtypes: readonly (ScalarType | undefined)[];
  readonly fields: readonly string[];
  private readonly name: string;
  private readonly spec: KernelSpec;
  private readonly launch: Launch;
  private readonly names: readonly string[];
  /** Slot of each operand; -1 if it is absent. */
  private readonly slots: readonly number[];
  /** Slot of the words for failed assertions; -1 if there are none. */
  private readonly assertion_slot: number;
  /** The text that calls the accessors. */
  private used = "";

  constructor(
    name: string,
    spec: KernelSpec,
    variant: number,
    operands: readonly (OperandView | null)[],
    launch: Launch,
  ) {
    this.name = name;
    this.spec = spec;
    this.variant = variant;
    this.launch = launch;
    this.names = [...spec.reads, ...spec.writes];
    this.dtypes = operands.map((op) => op?.dtype);
    let bound = 0;
    this.slots = operands.map((op) => (op === null ? -1 : launch.slot(bound++)));
    this.assertion_slot = spec.asserts === undefined ? -1 : launch.slot(bound);
    this.fields = typeof spec.fields === "function" ? spec.fields(this) : spec.fields;
  }

  has(operand: string): boolean {
    return this.dtypes[this.names.indexOf(operand)] !== undefined;
  }

  type(operand: string): string {
    const dtype = this.dtypes[this.names.indexOf(operand)];
    return dtype === undefined ? "f32" : type_of(dtype_name(dtype));
  }

  source(): KernelSource {
    const { spec, launch } = this;
    const workgroup_size = typeof spec.workgroup_size === "function" ? spec.workgroup_size(this) : spec.workgroup_size;
    const { declarations = "", main } = spec.code(this);
    const places = this.names.filter((name) => this.has(name)).map((name) => `${name}: u32`);
    if (this.assertion_slot >= 0) places.push("assertion: u32");
    this.used = `${declarations}\n${main}`;
    const accessors = this.names.flatMap((name, k) => (this.has(name) ? this.accessors(name, k) : []));
    const slots = Array.from({ length: launch.slots() }, (_, s) => s);
    const shared = slots.filter((s) => this.word_type(s) === "atomic<u32>" && s !== this.assertion_slot);
    const is_written = (s: number): boolean => (launch.written() & (1 << s)) !== 0;
    const asserts = spec.conditions === undefined ? in_bounds : kernel_assert;
    const code = [
      `struct Params { ${[...places, ...this.fields].join(", ")} }`,
      "@group(0) @binding(0) var<uniform> p: Params;",
      ...slots.map((s) => binding(s, this.word_type(s), is_written(s))),
      ...shared.map(exchange),
      ...accessors,
      ...(this.assertion_slot < 0 ? [] : [asserts(this.assertion_slot)]),
      declarations,
      `@compute @workgroup_size(${workgroup_size.join(", ")}) fn main(`,
      "  @builtin(workgroup_id) group: vec3<u32>,",
      "  @builtin(local_invocation_index) lane: u32,",
      "  @builtin(num_workgroups) groups: vec3<u32>,",
      ") {",
      ...(spec.conditions === undefined ? [] : [here("group.x + group.y * groups.x", "lane")]),
      main.trimEnd(),
      "}",
    ].join("\n");
    const dtypes = this.dtypes.filter((dtype) => dtype !== undefined).map(toString);
    return {
      name: `webgpu::${this.name}<${dtypes.join(", ")}>`,
      code: `${code}\n${helpers_for(code)}`,
      slots: launch.slots(),
      written: launch.written(),
      workgroup_size,
    };
  }

  /** Type of a slot's words; see Note [Words that hold several elements]. */
  private word_type(slot: number): WordType {
    if (slot === this.assertion_slot) return "atomic<u32>";
    const first_written = this.spec.reads.length;
    const shares_words = this.dtypes.some(
      (dtype, k) => k >= first_written && dtype !== undefined && this.slots[k] === slot && per_word(dtype) > 1,
    );
    return shares_words ? "atomic<u32>" : "u32";
  }

  private accessors(name: string, k: number): string[] {
    const { used } = this;
    const dtype = this.dtypes[k] as ScalarType;
    const slot = this.slots[k];
    const type = this.word_type(slot);
    const element = type_of(dtype_name(dtype));
    const out: string[] = [];
    const by_four = used.includes(`load4_${name}(`);
    if (used.includes(`load_${name}(`) || by_four)
      out.push(
        `fn load_${name}(i: u32) -> ${element} {`,
        `  let e = p.${name} + i;`,
        `  return ${load(dtype, slot, type, "e")};`,
        "}",
      );
    if (used.includes(`store_${name}(`))
      out.push(
        `fn store_${name}(i: u32, value: ${element}) {`,
        `  let e = p.${name} + i;`,
        ...store(dtype, slot, type, "e", "value").map((line) => `  ${line}`),
        "}",
      );
    if (by_four) out.push(...this.load4(name, dtype, slot, type));
    return out;
  }

  /** WGSL that loads four consecutive float32 from element i on. */
  private load4(name: string, dtype: ScalarType, slot: number, type: WordType): string[] {
    const at = (k: number): string => `load_${name}(i + ${k}u)`;
    if (dtype !== ScalarType.Float || type !== "u32")
      return [
        `fn load4_${name}(i: u32) -> vec4<f32> {`,
        `  return vec4<f32>(${[0, 1, 2, 3].map(at).join(", ")});`,
        "}",
      ];
    const word = (k: number): string => `bitcast<f32>(m${slot}[e + ${k}u])`;
    return [
      `fn load4_${name}(i: u32) -> vec4<f32> {`,
      `  let e = p.${name} + i;`,
      `  return vec4<f32>(${[0, 1, 2, 3].map(word).join(", ")});`,
      "}",
    ];
  }
}

/**
 * Number of workgroups in x and y for `count` workgroups, which may be more than one dimension takes. The kernel
 * computes its number as `group.x + group.y * groups.x`.
 */
export function folded(count: number): [x: number, y: number] {
  const { max_grid } = get_device().properties;
  const x = Math.min(count, max_grid);
  return [x, x === 0 ? 1 : Math.ceil(count / x)];
}
