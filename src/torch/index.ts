/**
 * @file The module `torch`: it assembles its members in the order of `import torch`.
 * @mirrors torch/__init__.py
 */

import { AssertionError, AttributeError, get_warnAlways, set_warnAlways, ValueError } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import * as __future__ from "./__future__.ts";
import { answer_for_absent_members, answer_for_absent_names } from "./_absent.ts";
import type { VariableFunctions } from "./_C/generated/_VariableFunctions.ts";
import {
  _C,
  device_or_inside,
  Float,
  type Float as FloatType,
  isStorage,
  mark_as_of_this_copy,
  type NumberArray,
  PyObject_IsTrue,
  py_str,
  type StorageBase,
  Tag,
  THPVariable_Check,
} from "./_C.ts";
import * as checks from "./_check.ts";
import { deepcopy } from "./_deepcopy.ts";
import { get_default_device, set_default_device } from "./_default_device.ts";
import * as deterministic from "./_deterministic.ts";
import { _register_device_module, get_device_module } from "./_device_module.ts";
import { door, name_behind_a_door } from "./_doors.ts";
import { is_scripting } from "./_jit_internal.ts";
import * as removed from "./_linalg_utils.ts";
import { activate_meta } from "./_meta_registrations/index.ts";
import { ops } from "./_ops.ts";
import { def_overridable } from "./_overridable.ts";
import * as _prims_common from "./_prims_common/index.ts";
import { def } from "./_signature.ts";
import { slice } from "./_slice.ts";
import { Tensor } from "./_tensor/index.ts";
import { get_printoptions, set_printoptions } from "./_tensor_str.ts";
import { torch } from "./_torch.ts";
import { typename } from "./_utils/index.ts";
import * as value_classes from "./_value_classes.ts";
import * as accelerator from "./accelerator/index.ts";
import * as amp from "./amp/index.ts";
import * as autograd from "./autograd/index.ts";
import * as autograd_profiler from "./autograd/profiler.ts";
import * as backends from "./backends/index.ts";
import * as compiler from "./compiler/index.ts";
import * as cpu from "./cpu/index.ts";
import * as cuda from "./cuda/index.ts";
import * as distributed from "./distributed/index.ts";
import * as distributions from "./distributions/index.ts";
import type * as export_ from "./export/index.ts";
import * as fft from "./fft/index.ts";
import * as func from "./func/index.ts";
import * as functional from "./functional/index.ts";
import { lu } from "./functional/lu.ts";
import type * as fx from "./fx/index.ts";
import * as hub from "./hub.ts";
import { is_tracing } from "./jit/_is_tracing.ts";
import type * as jit from "./jit/index.ts";
import * as library from "./library.ts";
import * as linalg from "./linalg/index.ts";
import * as mps from "./mps/index.ts";
import * as nn from "./nn/index.ts";
import * as onnx from "./onnx/index.ts";
import * as optim from "./optim/index.ts";
import * as overrides from "./overrides.ts";
import * as profiler from "./profiler/index.ts";
import * as random from "./random.ts";
import * as safetensors from "./safetensors.ts";
import * as serialization from "./serialization/index.ts";
import * as special from "./special/index.ts";

import { legacy_storages, TypedStorage } from "./storage/typed.ts";
import { UntypedStorage } from "./storage/untyped.ts";
import * as testing from "./testing/index.ts";
import type { DeviceLike, device, dtype, layout, memory_format, TensorData } from "./types.ts";
import * as utils from "./utils/index.ts";
import * as xpu from "./xpu/index.ts";

type LegacyTensor = (...args: unknown[]) => Tensor;
type LegacyTensorClass = { new (...args: unknown[]): Tensor } & LegacyTensor;

/** The objects that `torch._C._initExtension` creates. */
interface ExtensionNames {
  readonly float32: dtype;
  readonly float: dtype;
  readonly float64: dtype;
  readonly double: dtype;
  readonly float16: dtype;
  readonly half: dtype;
  readonly bfloat16: dtype;
  readonly int8: dtype;
  readonly int16: dtype;
  readonly short: dtype;
  readonly int32: dtype;
  readonly int: dtype;
  readonly int64: dtype;
  readonly long: dtype;
  readonly uint8: dtype;
  readonly uint16: dtype;
  readonly uint32: dtype;
  readonly uint64: dtype;
  readonly bool: dtype;
  readonly complex32: dtype;
  readonly complex64: dtype;
  readonly cfloat: dtype;
  readonly complex128: dtype;
  readonly cdouble: dtype;
  readonly strided: layout;
  readonly sparse_coo: layout;
  readonly contiguous_format: memory_format;
  readonly preserve_format: memory_format;
  readonly channels_last: memory_format;
  readonly channels_last_3d: memory_format;
  readonly ByteTensor: LegacyTensorClass;
  readonly CharTensor: LegacyTensorClass;
  readonly ShortTensor: LegacyTensorClass;
  readonly IntTensor: LegacyTensorClass;
  readonly LongTensor: LegacyTensorClass;
  readonly HalfTensor: LegacyTensorClass;
  readonly FloatTensor: LegacyTensorClass;
  readonly DoubleTensor: LegacyTensorClass;
  readonly BoolTensor: LegacyTensorClass;
  readonly BFloat16Tensor: LegacyTensorClass;
}

interface TensorKwargs {
  dtype?: dtype | null;
  device?: DeviceLike | null;
}

interface RangeKwargs extends TensorKwargs {
  out?: Tensor | null;
  requires_grad?: boolean;
}

/** Functions bound by hand (`python_torch_functions_manual.ts`). */
interface ManualFunctions {
  /**
   * A new tensor with the values of nested lists of numbers.
   * @throws {ValueError} "expected sequence of length 2 at dim 1 (got 1)" if the lists are ragged.
   */
  tensor(data: TensorData, kwargs?: TensorKwargs & { requires_grad?: boolean; pin_memory?: boolean }): Tensor;
  /** A tensor with the values of `data`; it shares memory with a tensor or typed array if possible. */
  as_tensor(data: TensorData, kwargs?: TensorKwargs): Tensor;
  /** A tensor with the values of `obj`; it shares memory if possible. `copy` true or false forces or forbids a copy. */
  asarray(obj: TensorData, kwargs?: TensorKwargs & { copy?: boolean | null; requires_grad?: boolean }): Tensor;
  /** A 1-d tensor that shares the memory of an array. */
  from_numpy(array: NumberArray): Tensor;
  /** A 1-d tensor over `count` elements of `buffer`, beginning at byte `offset`. */
  frombuffer(
    buffer: ArrayBufferLike | ArrayBufferView,
    kwargs: { dtype: dtype; count?: number; offset?: number; requires_grad?: boolean },
  ): Tensor;
  /** Indices of the nonzero elements, one row for each; with `as_tuple`, one tensor per dimension. */
  nonzero(input: Tensor, kwargs?: { out?: Tensor | null }): Tensor;
  nonzero(input: Tensor, kwargs: { as_tuple: true }): Tensor[];
  /** Deprecated: the numbers from `start` to `end`, `end` included, in the default dtype. `arange` excludes the end. */
  range(
    start: number | bigint,
    end: number | bigint,
    step?: number | bigint | RangeKwargs,
    kwargs?: RangeKwargs,
  ): Tensor;
  /** The number of elements. */
  numel(input: Tensor): number;
  /** The index of the tensor's device; -1 on the CPU. */
  get_device(input: Tensor): number;
}

/** Raises AssertionError with this message unless the condition holds; unlike an assertion, it can be overridden. */
const _assert = def_overridable(
  "_assert(condition: Tensor, message: object)",
  (condition: unknown, message: unknown): void => {
    if (!PyObject_IsTrue(condition)) throw new AssertionError(py_str(message));
  },
);

const functions = {
  // Classes
  Tensor,
  UntypedStorage,
  TypedStorage,
  AcceleratorError: _C.AcceleratorError,
  Generator: _C.Generator,
  OutOfMemoryError: _C.OutOfMemoryError,
  Float: Float as typeof Float & { new (value: number | bigint): FloatType },
  /** A device. With a function as last argument, that function runs with this default device. */
  device: device_or_inside as {
    (device: DeviceLike, index?: number): device;
    <R>(device: DeviceLike, body: () => R): R;
    <R>(device: DeviceLike, index: number, body: () => R): R;
    new (device: DeviceLike, index?: number): device;
  },
  /** A tensor's size. Sizes are arrays of numbers here, and so is the result: `torch.Size([2, 3])`. */
  Size: _C.Size,
  /** The limits of a floating dtype, for example `torch.finfo(torch.float16).max`. */
  finfo: _C.finfo,
  /** The limits of an integer dtype. */
  iinfo: _C.iinfo,
  Stream: _C.Stream,
  Event: _C.Event,
  NotImplemented: _C.NotImplemented,
  /** Tags, which describe an operator besides its schema; `torch.ops.aten.add.Tensor.tags` has some. */
  Tag,

  // Numbers
  pi: Math.PI,
  e: Math.E,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
  /** An additional dimension: `x.at(null)`, `x.at(torch.newaxis)`. */
  newaxis: null,

  // Tests
  /** The type name of an object in Python: `torch.FloatTensor` for a tensor, `torch.nn.modules.linear.Linear` for a module. */
  typename: def("typename(obj: object, /)", typename),
  /** Whether `obj` is a tensor. */
  is_tensor: def("is_tensor(obj: object, /)", (obj: unknown): boolean => THPVariable_Check(obj)) as unknown as (
    obj: unknown,
  ) => obj is Tensor,
  /** Whether `obj` is a storage. */
  is_storage: def("is_storage(obj: object, /)", (obj: unknown): boolean => isStorage(obj)) as unknown as (
    obj: unknown,
  ) => obj is StorageBase,
  /** Whether autograd records operations now. */
  is_grad_enabled: (): boolean => _C.is_grad_enabled(),
  /** Whether the code runs inside `inference_mode`. */
  is_inference_mode_enabled: (): boolean => _C.is_inference_mode_enabled(),
  /** Whether every node stores the stack of its forward call. */
  is_anomaly_enabled: (): boolean => _C.is_anomaly_enabled(),
  /** Whether, with anomaly detection enabled, a NaN gradient is an error. */
  is_anomaly_check_nan_enabled: (): boolean => _C.is_anomaly_check_nan_enabled(),
  /** Sets whether every node stores the stack of its forward call; with `check_nan`, a NaN gradient is an error. */
  set_anomaly_enabled: _C.set_anomaly_enabled,

  // Settings
  /** The default dtype of floating tensors; float32 unless set. */
  get_default_dtype: (): dtype => _C.get_default_dtype(),
  /** Sets the default dtype of floating tensors. */
  set_default_dtype: def("set_default_dtype(d, /)", (d: dtype): void => _C._set_default_dtype(d)),
  /** Deprecated: sets the default dtype and device of floating tensors by a type name, for example `"torch.DoubleTensor"`. */
  set_default_tensor_type: def("set_default_tensor_type(t: object, /)", (t: unknown): void =>
    _C._set_default_tensor_type(typeof t === "string" ? legacy_type(t) : t),
  ),
  /** Sets whether denormal numbers become 0. This is not supported here; the result is false if it was requested. */
  set_flush_denormal: def("set_flush_denormal(mode: object, /)", (mode: boolean): boolean =>
    _C.set_flush_denormal(mode),
  ),
  set_printoptions,
  get_printoptions,
  /** Sets whether a warning is given each time its cause occurs, or only once. */
  set_warn_always: def("set_warn_always(b, /)", (b: boolean): void => set_warnAlways(b)),
  /** Whether warnings are given each time. */
  is_warn_always_enabled: def("is_warn_always_enabled()", (): boolean => get_warnAlways()),

  /**
   * Sets the accuracy of float32 matrix products: "highest", "high" or "medium". Here they always have full accuracy.
   */
  set_float32_matmul_precision: def("set_float32_matmul_precision(precision: object)", (precision: string): void =>
    _C._set_float32_matmul_precision(precision),
  ),
  /** The accuracy that was set. */
  get_float32_matmul_precision: def("get_float32_matmul_precision()", (): string => _C._get_float32_matmul_precision()),

  // Reproducible results
  use_deterministic_algorithms: deterministic.use_deterministic_algorithms,
  are_deterministic_algorithms_enabled: deterministic.are_deterministic_algorithms_enabled,
  is_deterministic_algorithms_warn_only_enabled: deterministic.is_deterministic_algorithms_warn_only_enabled,
  set_deterministic_debug_mode: deterministic.set_deterministic_debug_mode,
  get_deterministic_debug_mode: deterministic.get_deterministic_debug_mode,

  /** The number of threads that a CPU kernel may use. */
  get_num_threads: def("get_num_threads()", (): number => _C.get_num_threads()),
  /**
   * Sets the number of threads for CPU kernels; results do not depend on it. The default is the number of threads that the machine runs at
   * once, or the value of the environment variables MKL_NUM_THREADS and OMP_NUM_THREADS.
   */
  set_num_threads: def("set_num_threads(nthreads, /)", (nthreads: number): void => _C.set_num_threads(nthreads)),

  /** The number of operators that PyTorch would run in parallel; here it has no effect. */
  get_num_interop_threads: def("get_num_interop_threads()", (): number => _C.get_num_interop_threads()),
  /**
   * Sets that number. @throws {RuntimeError} when it is called again: "Error: cannot set number of interop threads after parallel work ..."
   */
  set_num_interop_threads: def("set_num_interop_threads(nthreads, /)", (nthreads: number): void =>
    _C.set_num_interop_threads(nthreads),
  ),

  /** Whether a library or a part is included. LAPACK's functions are included, written in TypeScript; fast Fourier transforms are not. */
  has_lapack: true,
  has_mkl: false,
  has_openmp: false,
  has_spectral: false,

  // Devices
  set_default_device,
  get_default_device,
  _register_device_module,
  get_device_module,

  slice,

  // The classes of values that the extension module makes
  dtype: value_classes.dtype,
  layout: value_classes.layout,
  memory_format: value_classes.memory_format,

  // Random numbers
  default_generator: _C.default_generator,
  manual_seed: random.manual_seed,
  seed: random.seed,
  initial_seed: random.initial_seed,
  get_rng_state: random.get_rng_state,
  set_rng_state: random.set_rng_state,

  // Contexts
  no_grad: autograd.no_grad,
  enable_grad: autograd.enable_grad,
  set_grad_enabled: autograd.set_grad_enabled,
  inference_mode: autograd.inference_mode,

  // Autocast
  autocast: amp.autocast,
  GradScaler: amp.GradScaler,
  set_autocast_enabled: _C.set_autocast_enabled,
  is_autocast_enabled: _C.is_autocast_enabled,
  set_autocast_dtype: _C.set_autocast_dtype,
  get_autocast_dtype: _C.get_autocast_dtype,
  clear_autocast_cache: _C.clear_autocast_cache,
  autocast_increment_nesting: _C.autocast_increment_nesting,
  autocast_decrement_nesting: _C.autocast_decrement_nesting,
  is_autocast_cache_enabled: _C.is_autocast_cache_enabled,
  set_autocast_cache_enabled: _C.set_autocast_cache_enabled,
  set_autocast_cpu_enabled: _C.set_autocast_cpu_enabled,
  is_autocast_cpu_enabled: _C.is_autocast_cpu_enabled,
  set_autocast_cpu_dtype: _C.set_autocast_cpu_dtype,
  get_autocast_cpu_dtype: _C.get_autocast_cpu_dtype,
  set_autocast_gpu_dtype: _C.set_autocast_gpu_dtype,
  get_autocast_gpu_dtype: _C.get_autocast_gpu_dtype,
  set_autocast_ipu_enabled: _C.set_autocast_ipu_enabled,
  is_autocast_ipu_enabled: _C.is_autocast_ipu_enabled,
  set_autocast_ipu_dtype: _C.set_autocast_ipu_dtype,
  get_autocast_ipu_dtype: _C.get_autocast_ipu_dtype,
  set_autocast_xla_enabled: _C.set_autocast_xla_enabled,
  is_autocast_xla_enabled: _C.is_autocast_xla_enabled,
  set_autocast_xla_dtype: _C.set_autocast_xla_dtype,
  get_autocast_xla_dtype: _C.get_autocast_xla_dtype,

  // Functions that PyTorch writes in Python
  split: functional.split,
  norm: functional.norm,
  einsum: functional.einsum,
  tensordot: functional.tensordot,
  cdist: functional.cdist,
  chain_matmul: functional.chain_matmul,
  lu,
  unique: functional.unique,
  unique_consecutive: functional.unique_consecutive,
  broadcast_tensors: functional.broadcast_tensors,
  broadcast_shapes: functional.broadcast_shapes,
  unravel_index: functional.unravel_index,
  matrix_rank: removed.matrix_rank,
  solve: removed.solve,
  lstsq: removed.lstsq,
  symeig: removed._symeig,
  eig: removed.eig,
  atleast_1d: functional.atleast_1d,
  atleast_2d: functional.atleast_2d,
  atleast_3d: functional.atleast_3d,
  block_diag: functional.block_diag,
  cartesian_prod: functional.cartesian_prod,
  meshgrid: functional.meshgrid,

  deepcopy,
  vmap: func.vmap,
  compile: compiler.compile,

  // Files
  save: serialization.save,
  load: serialization.load,

  _assert,
  ...checks,

  // Packages
  _C,
  _VF: _C._VariableFunctions,
  _prims_common,
  random,
  functional,
  accelerator: Object.assign({}, accelerator),
  amp: Object.assign({}, amp),
  autograd: Object.assign({ profiler: autograd_profiler }, autograd),
  backends: Object.assign({}, backends),
  cpu: Object.assign({}, cpu),
  cuda: Object.assign({}, cuda),
  distributions,
  __future__: Object.assign({}, __future__),
  func: Object.assign({}, func),
  linalg: Object.assign({}, linalg),
  mps: Object.assign({}, mps),
  nn: Object.assign({}, nn),
  optim: Object.assign({}, optim),
  profiler: Object.assign({}, profiler),
  overrides,
  serialization: Object.assign({}, serialization),
  safetensors: Object.assign({}, safetensors),
  special: Object.assign({}, special),
  testing: name_behind_a_door(Object.assign({}, testing), "FileCheck", "jit"),
  xpu: Object.assign({}, xpu),
  utils,
  // Packages that are not built
  compiler: Object.assign({}, compiler),
  distributed: Object.assign({}, distributed),
  export: door<typeof export_>("torch.export"),
  fft: Object.assign({}, fft),
  fx: door<typeof fx>("torch.fx"),
  jit: door<typeof jit>("torch.jit", { is_scripting, is_tracing }),
  hub: Object.assign({}, hub),
  onnx: Object.assign({}, onnx),

  library,
  ops,
  return_types: _C._return_types,
  /** The version of PyTorch that this library reimplements, and build options. */
  version: { __version__: "2.13.0", debug: false, cuda: null, hip: null, xpu: null },
  __version__: "2.13.0",
};

/** The type that a script names, from its name. */
function legacy_type(name: string): unknown {
  const parts = name.split(".");
  if (parts[0] !== "torch") throw new ValueError(`invalid type: '${name}'`); // in Python any module may have such a type
  let found: unknown = torch;
  for (const [i, part] of parts.slice(1).entries()) {
    found = (found as Record<string, unknown>)[part];
    if (found === undefined)
      throw new AttributeError(`module '${parts.slice(0, i + 1).join(".")}' has no attribute '${part}'`);
  }
  return found;
}

/** Functions of `_VariableFunctions` that functions written in Python replace. */
type Replaced =
  | "split"
  | "norm"
  | "einsum"
  | "tensordot"
  | "unique_consecutive"
  | "unique_dim"
  | "atleast_1d"
  | "atleast_2d"
  | "atleast_3d"
  | "block_diag"
  | "cartesian_prod"
  | "meshgrid";

type Parts = Omit<VariableFunctions, Replaced> & ManualFunctions & ExtensionNames & typeof functions;

declare module "./_torch.ts" {
  interface Torch extends Parts {}
}

/** Operators that only functions of `torch` call. */
const PRIVATE_OPS: readonly string[] = ["unique_dim"];

function _initialize(): void {
  const namespace: Record<string, unknown> = {};
  const before = new Set(Object.keys(_C));
  _C._initExtension();
  for (const [name, object] of Object.entries(_C)) if (!before.has(name)) namespace[name] = object;
  if (tracer !== null) traceCall("init", "torch._C._VariableFunctions", pull_functions, [namespace]);
  else pull_functions(namespace);
  // In one step from a spread object, so that V8 stores `torch.add` as a field and not in a hash table.
  Object.assign(torch, { ...namespace, ...functions, ...legacy_storages });
}

/** Copies each function of `_VariableFunctions` into `torch`: `torch.prelu` is `torch._C._VariableFunctions.prelu`. */
function pull_functions(namespace: Record<string, unknown>): void {
  for (const [name, fn] of Object.entries(_C._VariableFunctions))
    if (!name.startsWith("__") && !PRIVATE_OPS.includes(name)) namespace[name] = fn;
}

_initialize();
mark_as_of_this_copy(
  ...[nn.Module, optim.Optimizer, optim.lr_scheduler.LRScheduler],
  ...[distributions.Distribution, distributions.Transform, TypedStorage],
);
if (tracer !== null) traceCall("init", "torch._meta_registrations", activate_meta, []);
else activate_meta();

answer_for_absent_names(torch);
answer_for_absent_members("torch.Tensor", Tensor, ["backward_hooks", "post_accumulate_grad_hooks"]);

export default torch;
