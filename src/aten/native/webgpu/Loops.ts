/**
 * @file Driver of scalar functions on the device. It takes a built iterator and a function, finds the compiled kernel
 * for the operands' layout, writes the parameters and launches.
 * @mirrors aten/src/ATen/native/cuda/Loops.cuh
 * @mirrors aten/src/ATen/native/cuda/CUDALoops.cuh
 * @differs Ours compiles each case when it first occurs; in C++ a driver receives a lambda, and the compiler makes
 * kernels for all cases.
 * @see jit_utils.ts (the text), native/cpu/Loops/index.ts (the CPU version)
 */
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import type { TensorIteratorState } from "#aten/iterator/TensorIteratorState";
import { type DispatchStub, REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { ScalarFunction, ScalarFunctions } from "#aten/webgpu/ScalarFunctions";
import { DeviceType } from "#c10/core/DeviceType";
import type { Scalar } from "#c10/core/Scalar";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Access, type DeviceMemory, type Launch, type WebGPUDevice } from "#c10/webgpu/interface";
import { get_device } from "#c10/webgpu/WebGPUFunctions";
import { generate_code, is_vectorizable, type Part, type PointwiseOperand, type Way } from "./jit_utils.ts";
import { write_number, write_value } from "./parameters.ts";
import { POINTWISE_WORKGROUP, tuning } from "./tuning.ts";

// Note [Key first]
// ~~~~~~~~~~~~~~~~
// A repeated launch must create neither kernel text nor objects. Three small numbers describe everything that the text
// depends on, and the kernel's id is looked up by them:
//
//   how        two bits per operand: elements, one element for all, a number; the way (jit_utils.ts); the number of dimensions
//   dtypes     four bits per operand, if a dtype in memory differs from the function's; 0 if all agree
//   layout     which operands share a segment, and which segments are written (Launch.layout)

/**
 * Kernel ids by `how`, `dtypes` and `layout`, for the device on which they were registered, and for its kind of
 * adapter.
 */
class Compiled {
  readonly device: WebGPUDevice;
  readonly tuning = tuning();
  readonly ids = new Map<number, Map<number, Map<number, number>>>();
  /** Number of the first condition that the function asserts. */
  readonly assertion: number;

  constructor(device: WebGPUDevice, { file, name }: ScalarFunctions, { asserts }: ScalarFunction) {
    this.device = device;
    this.assertion = asserts.length === 0 ? 0 : device.assertion(`${file}: ${name}`, asserts);
  }
}

const compiled = new WeakMap<ScalarFunction, Compiled>();

const PARTS: readonly Part[] = ["elements", "one", "number"];
const WAYS: readonly Way[] = ["linear", "vectors", "rest", "words", "strided"];
const LINEAR = 0;
const VECTORS = 1;
const REST = 2;
const WORDS = 3;
const STRIDED = 4;

/** Runs `functions` over `iter`. c0 to c3 are the values that the scalar function captures. */
export function gpu_kernel(
  iter: TensorIteratorBase,
  functions: ScalarFunctions,
  c0?: Scalar | number,
  c1?: Scalar | number,
  c2?: Scalar | number,
  c3?: Scalar | number,
): void {
  const it = iter.iter_;
  const fn = function_for(it, functions);
  if (it.numel() === 0) return;
  gpu_kernel_impl(it, functions, fn, false, c0, c1, c2, c3);
}

/** Like `gpu_kernel`, but a number next to halves is not rounded to half precision. */
export function opmath_gpu_kernel_with_scalars(
  iter: TensorIteratorBase,
  functions: ScalarFunctions,
  c0?: Scalar | number,
): void {
  const it = iter.iter_;
  const fn = function_for(it, functions);
  if (it.numel() === 0) return;
  gpu_kernel_impl(it, functions, fn, true, c0, undefined, undefined, undefined);
}

/** Like `gpu_kernel`, for a dtype that does not follow from the operands. */
export function gpu_kernel_for(
  iter: TensorIteratorBase,
  functions: ScalarFunctions,
  dtype: ScalarType,
  c0?: Scalar | number,
  c1?: Scalar | number,
): void {
  const it = iter.iter_;
  const fn = functions.get(dtype);
  if (it.numel() === 0) return;
  gpu_kernel_impl(it, functions, fn, false, c0, c1, undefined, undefined);
}

type Pointwise = (iter: TensorIteratorBase, ...scalars: (Scalar | number)[]) => void;

/** Registers the device's kernel for a stub whose only argument is an iterator. */
export function REGISTER_POINTWISE(
  stub: DispatchStub<(iter: TensorIteratorBase) => void>,
  name: string,
  functions: ScalarFunctions,
): void {
  REGISTER_PRIVATEUSE1_DISPATCH(stub, (iter) => gpu_kernel(iter, functions), name);
}

/** Registers the device's kernel for a stub that also takes the captured values, in the same order. */
export function REGISTER_POINTWISE_WITH_SCALARS<F extends Pointwise>(
  stub: DispatchStub<F>,
  name: string,
  functions: ScalarFunctions,
): void {
  const kernel: Pointwise = (iter, c0, c1, c2, c3) => gpu_kernel(iter, functions, c0, c1, c2, c3);
  REGISTER_PRIVATEUSE1_DISPATCH(stub, kernel as F, name);
}

/** Chooses the scalar function by the common dtype, or by the operands' own dtypes if there is no promotion. */
function function_for(it: TensorIteratorState, functions: ScalarFunctions): ScalarFunction {
  const { by } = functions;
  if (by.length === 2) return functions.get(it.dtype(by[0]), it.dtype(by[1]));
  return functions.get(it.has_common_dtype() ? it.common_dtype() : it.dtype(by[0]));
}

function gpu_kernel_impl(
  it: TensorIteratorState,
  functions: ScalarFunctions,
  fn: ScalarFunction,
  keeps_numbers: boolean,
  c0: Scalar | number | undefined,
  c1: Scalar | number | undefined,
  c2: Scalar | number | undefined,
  c3: Scalar | number | undefined,
): void {
  const device = get_device();
  const { launch } = device;
  const operands = it.operands();
  const shape = it.shape();
  const outputs = fn.outputs.length;
  const n = it.numel();
  TORCH_INTERNAL_ASSERT(
    operands.length === fn.dtypes.length,
    "the function and the iterator must have as many operands",
  );
  TORCH_CHECK(n <= 0x7fffffff, "webgpu: an iteration over ", n, " elements is too large");
  launch.begin();
  let is_linear = shape.length <= 1;
  let is_vector = fn.asserts.length === 0; // the last vector may contain elements beyond the end, whose assertion could fail
  let how = 0;
  let dtypes = 0;
  let agree = true;
  let operand = 0;
  for (let k = 0; k < operands.length; k++) {
    const op = operands[k];
    const dtype = op.current_dtype;
    const is_number = k >= outputs && (op.device as { type(): DeviceType }).type() === DeviceType.CPU;
    let part = 2;
    if (!is_number) {
      const stride = shape.length === 0 ? 1 : (op.strides as readonly number[])[0];
      part = stride === 1 ? 0 : 1;
      if (stride !== 1 && stride !== 0) is_linear = false;
      bind(launch, op, shape, k < outputs);
      if (!is_vectorizable(dtype) || (part === 0 && (launch.offset(operand) & 15) !== 0)) is_vector = false;
      operand++;
      if (dtype !== fn.dtypes[k]) agree = false;
    }
    how = how * 4 + part;
    dtypes = dtypes * 16 + dtype;
  }
  if (fn.asserts.length > 0) launch.assertion_operand();
  let owner = compiled.get(fn);
  if (owner === undefined || owner.device !== device || owner.tuning !== tuning()) {
    owner = new Compiled(device, functions, fn);
    compiled.set(fn, owner);
  }
  const items = items_of(owner, fn);
  const vectors = n % (4 * items) === 0 ? VECTORS : REST;
  const way = !is_linear ? STRIDED : is_vector ? vectors : outputs === 1 && is_packed(operands[0]) ? WORDS : LINEAR;
  how = (is_linear ? how : numbers_of(how)) * 256 + way * 32 + (is_linear ? 0 : shape.length);
  const layout = launch.layout();
  let kernel = owner.ids
    .get(how)
    ?.get(agree ? 0 : dtypes)
    ?.get(layout);
  if (kernel === undefined) kernel = compile(owner, it, functions, fn, how, agree ? 0 : dtypes, layout, way);
  let words = write_parameters(launch, it, functions, fn, way, keeps_numbers, n, c0, c1, c2, c3);
  if (fn.asserts.length > 0) launch.u32[words++] = owner.assertion;
  const per = is_vector && is_linear ? 4 : way === WORDS ? 4 / elementSize(operands[0].current_dtype) : 1;
  const lead = way === WORDS ? launch.u32[2] % per : 0;
  const groups = Math.ceil((n + lead) / (per * items * POINTWISE_WORKGROUP));
  const x = Math.min(groups, device.properties.max_grid);
  launch.u32[1] = x * POINTWISE_WORKGROUP;
  launch.run(kernel, x, Math.ceil(groups / x), 1, words);
}

/** A function with assertions handles one element per invocation, so that a failed assertion can name the element. */
function items_of(owner: Compiled, fn: ScalarFunction): number {
  return fn.asserts.length > 0 ? 1 : owner.tuning.pointwise_items;
}

/** The part of `how` that matters in the strided way: which operands are numbers. */
function numbers_of(how: number): number {
  let numbers = 0;
  for (let rest = how, place = 1; rest > 0; rest = Math.floor(rest / 4), place *= 4)
    if (rest % 4 === 2) numbers += 2 * place;
  return numbers;
}

function is_packed(op: OperandInfo): boolean {
  return elementSize(op.current_dtype) < 4;
}

/** Binds the bytes that the iteration can access, from the lowest on, because strides may be negative. */
function bind(launch: Launch, op: OperandInfo, shape: readonly number[], is_output: boolean): void {
  const strides = op.strides as readonly number[];
  const size = elementSize(op.current_dtype);
  let below = 0;
  let above = 1;
  for (let d = 0; d < shape.length; d++) {
    const reach = (shape[d] - 1) * strides[d];
    if (reach < 0) below += reach;
    else above += reach;
  }
  const memory = device_memory(op);
  const access = !is_output ? Access.read : op.is_read_write ? Access.read_write : Access.write;
  launch.operand(memory, (op.offset + below) * size, (above - below) * size, access);
}

export function device_memory(op: OperandInfo): DeviceMemory {
  return op.tensor().impl_.storage().data_ptr().get_context() as DeviceMemory; // it was made by the device's allocator
}

/**
 * Writes parameters in the order of `fields` in jit_utils.ts. The row length, word 1, is written with the grid. Returns
 * the number of words.
 */
function write_parameters(
  launch: Launch,
  it: TensorIteratorState,
  functions: ScalarFunctions,
  fn: ScalarFunction,
  way: number,
  keeps_numbers: boolean,
  n: number,
  c0: Scalar | number | undefined,
  c1: Scalar | number | undefined,
  c2: Scalar | number | undefined,
  c3: Scalar | number | undefined,
): number {
  const operands = it.operands();
  const shape = it.shape();
  const { u32 } = launch;
  u32[0] = n;
  let at = 2;
  let operand = 0;
  for (let k = 0; k < operands.length; k++) {
    const op = operands[k];
    if (k >= fn.outputs.length && is_number(op)) at = write_number(launch, at, op, fn.dtypes[k], keeps_numbers);
    else u32[at++] = first_element(launch, operand++, op, shape);
  }
  if (way === STRIDED) {
    for (let d = 0; d + 1 < shape.length; d++) u32[at++] = shape[d];
    for (let k = 0; k < operands.length; k++) {
      const op = operands[k];
      if (k >= fn.outputs.length && is_number(op)) continue;
      const strides = op.strides as readonly number[];
      for (let d = 0; d < strides.length; d++) u32[at++] = strides[d];
    }
  }
  const { captures } = fn;
  if (captures.length > 0) {
    const dtype = fn.dtypes[functions.by[0]];
    const kinds = functions.captures;
    at = write_value(launch, at, c0, captures[0].type, kinds[0], dtype);
    if (captures.length > 1) at = write_value(launch, at, c1, captures[1].type, kinds[1], dtype);
    if (captures.length > 2) at = write_value(launch, at, c2, captures[2].type, kinds[2], dtype);
    if (captures.length > 3) at = write_value(launch, at, c3, captures[3].type, kinds[3], dtype);
  }
  return at;
}

function is_number(op: OperandInfo): boolean {
  return (op.device as { type(): DeviceType }).type() === DeviceType.CPU;
}

/** Position of the iteration's first element, in elements from the start of the segment. */
function first_element(launch: Launch, operand: number, op: OperandInfo, shape: readonly number[]): number {
  const strides = op.strides as readonly number[];
  let below = 0;
  for (let d = 0; d < shape.length; d++) if (strides[d] < 0) below += (shape[d] - 1) * strides[d];
  return launch.offset(operand) / elementSize(op.current_dtype) - below;
}

function compile(
  owner: Compiled,
  it: TensorIteratorState,
  functions: ScalarFunctions,
  fn: ScalarFunction,
  how: number,
  dtypes: number,
  layout: number,
  way: number,
): number {
  const { device, ids } = owner;
  const { launch } = device;
  let operand = 0;
  const shape = it.shape();
  const operands = it.operands().map((op, k): PointwiseOperand => {
    if (k >= fn.outputs.length && is_number(op)) return { dtype: fn.dtypes[k], part: "number", slot: -1 };
    const stride = shape.length === 0 ? 1 : (op.strides as readonly number[])[0];
    const part = way !== STRIDED && stride !== 1 ? PARTS[1] : PARTS[0];
    return { dtype: op.current_dtype, part, slot: launch.slot(operand++) };
  });
  const source = generate_code({
    name: `${functions.name}_kernel`,
    file: functions.file,
    fn,
    way: WAYS[way],
    items: items_of(owner, fn),
    ndim: shape.length,
    operands,
    slots: launch.slots(),
    written: launch.written(),
    assertion_slot: fn.asserts.length === 0 ? -1 : launch.slot(operand),
  });
  const id = device.register(source);
  let by_dtypes = ids.get(how);
  if (by_dtypes === undefined) ids.set(how, (by_dtypes = new Map()));
  let by_layout = by_dtypes.get(dtypes);
  if (by_layout === undefined) by_dtypes.set(dtypes, (by_layout = new Map()));
  by_layout.set(layout, id);
  return id;
}
