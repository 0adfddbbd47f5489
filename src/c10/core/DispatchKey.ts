/**
 * @file The dispatch keys: the layers at which an operator call can stop, and their order. Each runtime key has one
 * slot of the table.
 * @mirrors c10/core/DispatchKey.h
 * @see DispatchKeySet.ts for how keys become bits
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { DeviceType } from "./DeviceType.ts";

/**
 * A backend: it selects the implementation of a per-backend functionality. Backends are the low bits of a
 * DispatchKeySet; a higher one wins.
 */
export const BackendComponent = {
  InvalidBit: 0,
  CPUBit: 1,
  CUDABit: 2,
  HIPBit: 3,
  XLABit: 4,
  MPSBit: 5,
  IPUBit: 6,
  XPUBit: 7,
  HPUBit: 8,
  VEBit: 9,
  LazyBit: 10,
  MTIABit: 11,
  MAIABit: 12,
  PrivateUse1Bit: 13,
  PrivateUse2Bit: 14,
  PrivateUse3Bit: 15,
  MetaBit: 16,
} as const;
export type BackendComponent = (typeof BackendComponent)[keyof typeof BackendComponent];

// Note [DispatchKey classification]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   kind                                      example                    a bit of its own   a table slot of its own
//   functionality without backends            ADInplaceOrView, Vulkan    yes                yes
//   per-backend functionality                 Dense, AutogradFunct...    yes                no
//   runtime instance of a per-backend one     CPU, AutogradCPU           no (two bits)      yes
//   alias                                     CompositeImplicitAutograd  no                 no: stands for many slots
// Numbers ascend with priority among functionalities: the highest one in a call's key set is entered first.
// biome-ignore format: table
export const DispatchKey = {
  // Functionality keys, low to high priority: one bit each in a DispatchKeySet
  Undefined: 0, Dense: 1, FPGA: 2, Vulkan: 3, Metal: 4, Quantized: 5, CustomRNGKeyId: 6, MkldnnCPU: 7, Sparse: 8,
  SparseCsr: 9, NestedTensor: 10, BackendSelect: 11, Fake: 12, Python: 13, FuncTorchDynamicLayerBackMode: 14,
  Functionalize: 15, Conjugate: 16, Negative: 17, ZeroTensor: 18, ADInplaceOrView: 19, AutogradOther: 20,
  AutogradFunctionality: 21, AutogradNestedTensor: 22, Tracer: 23, AutocastCPU: 24, AutocastMTIA: 25,
  AutocastMAIA: 26, AutocastXPU: 27, AutocastIPU: 28, AutocastHPU: 29, AutocastXLA: 30, AutocastMPS: 31,
  AutocastCUDA: 32, AutocastPrivateUse1: 33, FuncTorchBatched: 34, BatchedNestedTensor: 35, FuncTorchVmapMode: 36,
  Batched: 37, VmapMode: 38, FuncTorchGradWrapper: 39, DeferredInit: 40, PythonTLSSnapshot: 41,
  FuncTorchDynamicLayerFrontMode: 42, TESTING_ONLY_GenericWrapper: 43, TESTING_ONLY_GenericMode: 44, PreDispatch: 45,
  PythonDispatcher: 46, EndOfFunctionalityKeys: 47,
  // Dense, one per backend
  StartOfDenseBackends: 48, CPU: 49, CUDA: 50, HIP: 51, XLA: 52, MPS: 53, IPU: 54, XPU: 55, HPU: 56, VE: 57,
  Lazy: 58, MTIA: 59, MAIA: 60, PrivateUse1: 61, PrivateUse2: 62, PrivateUse3: 63, Meta: 64, EndOfDenseBackends: 64,
  // Quantized, one per backend
  StartOfQuantizedBackends: 65, QuantizedCPU: 66, QuantizedCUDA: 67, QuantizedHIP: 68, QuantizedXLA: 69,
  QuantizedMPS: 70, QuantizedIPU: 71, QuantizedXPU: 72, QuantizedHPU: 73, QuantizedVE: 74, QuantizedLazy: 75,
  QuantizedMTIA: 76, QuantizedMAIA: 77, QuantizedPrivateUse1: 78, QuantizedPrivateUse2: 79, QuantizedPrivateUse3: 80,
  QuantizedMeta: 81, EndOfQuantizedBackends: 81,
  // Sparse, one per backend
  StartOfSparseBackends: 82, SparseCPU: 83, SparseCUDA: 84, SparseHIP: 85, SparseXLA: 86, SparseMPS: 87,
  SparseIPU: 88, SparseXPU: 89, SparseHPU: 90, SparseVE: 91, SparseLazy: 92, SparseMTIA: 93, SparseMAIA: 94,
  SparsePrivateUse1: 95, SparsePrivateUse2: 96, SparsePrivateUse3: 97, SparseMeta: 98, EndOfSparseBackends: 98,
  // SparseCsr, one per backend
  StartOfSparseCsrBackends: 99, SparseCsrCPU: 100, SparseCsrCUDA: 101, SparseCsrHIP: 102, SparseCsrXLA: 103,
  SparseCsrMPS: 104, SparseCsrIPU: 105, SparseCsrXPU: 106, SparseCsrHPU: 107, SparseCsrVE: 108, SparseCsrLazy: 109,
  SparseCsrMTIA: 110, SparseCsrMAIA: 111, SparseCsrPrivateUse1: 112, SparseCsrPrivateUse2: 113,
  SparseCsrPrivateUse3: 114, SparseCsrMeta: 115, EndOfSparseCsrBackends: 115,
  // NestedTensor, one per backend
  StartOfNestedTensorBackends: 116, NestedTensorCPU: 117, NestedTensorCUDA: 118, NestedTensorHIP: 119,
  NestedTensorXLA: 120, NestedTensorMPS: 121, NestedTensorIPU: 122, NestedTensorXPU: 123, NestedTensorHPU: 124,
  NestedTensorVE: 125, NestedTensorLazy: 126, NestedTensorMTIA: 127, NestedTensorMAIA: 128,
  NestedTensorPrivateUse1: 129, NestedTensorPrivateUse2: 130, NestedTensorPrivateUse3: 131, NestedTensorMeta: 132,
  EndOfNestedTensorBackends: 132,
  // AutogradFunctionality, one per backend
  StartOfAutogradFunctionalityBackends: 133, AutogradCPU: 134, AutogradCUDA: 135, AutogradHIP: 136, AutogradXLA: 137,
  AutogradMPS: 138, AutogradIPU: 139, AutogradXPU: 140, AutogradHPU: 141, AutogradVE: 142, AutogradLazy: 143,
  AutogradMTIA: 144, AutogradMAIA: 145, AutogradPrivateUse1: 146, AutogradPrivateUse2: 147, AutogradPrivateUse3: 148,
  AutogradMeta: 149, EndOfAutogradFunctionalityBackends: 149,
  EndOfRuntimeBackendKeys: 149,
  // Aliases: a registration under one of these fills many table slots. Never in a key set.
  Autograd: 150, CompositeImplicitAutograd: 151, FuncTorchBatchedDecomposition: 152,
  CompositeImplicitAutogradNestedTensor: 153, CompositeExplicitAutograd: 154, CompositeExplicitAutogradNonFunctional: 155,
  StartOfAliasKeys: 150, EndOfAliasKeys: 155,
  // Older spellings, kept for older code
  CatchAll: 0, CPUTensorId: 49, CUDATensorId: 50, DefaultBackend: 154, PrivateUse1_PreAutograd: 146,
  PrivateUse2_PreAutograd: 147, PrivateUse3_PreAutograd: 148, Autocast: 32,
} as const;
export type DispatchKey = (typeof DispatchKey)[keyof typeof DispatchKey];

export const kAutograd = DispatchKey.Autograd;

/** Slots 0 ... 46 and the backend bits below them must fit 64 bits together. */
export const num_functionality_keys = DispatchKey.EndOfFunctionalityKeys;
export const num_backends = BackendComponent.MetaBit;
export const full_backend_mask = (1 << num_backends) - 1;

/** First runtime key of each per-backend functionality, in ascending order. */
const perBackendBlocks: readonly { readonly functionality: DispatchKey; readonly start: number }[] = [
  { functionality: DispatchKey.Dense, start: DispatchKey.StartOfDenseBackends },
  { functionality: DispatchKey.Quantized, start: DispatchKey.StartOfQuantizedBackends },
  { functionality: DispatchKey.Sparse, start: DispatchKey.StartOfSparseBackends },
  { functionality: DispatchKey.SparseCsr, start: DispatchKey.StartOfSparseCsrBackends },
  { functionality: DispatchKey.NestedTensor, start: DispatchKey.StartOfNestedTensorBackends },
  { functionality: DispatchKey.AutogradFunctionality, start: DispatchKey.StartOfAutogradFunctionalityBackends },
];

/** Each functionality has one slot; a per-backend one has a slot for each backend: 47 + 6 * 15 = 137. */
export const num_runtime_entries = num_functionality_keys + perBackendBlocks.length * (num_backends - 1);

/** First value of the block of each functionality key, or 0 if the key is not per-backend. */
const blockStart = new Uint8Array(num_functionality_keys + 1);
for (const block of perBackendBlocks) blockStart[block.functionality] = block.start;

export function isAliasDispatchKey(k: DispatchKey): boolean {
  return k >= DispatchKey.StartOfAliasKeys && k <= DispatchKey.EndOfAliasKeys;
}

export function isPerBackendFunctionalityKey(k: DispatchKey): boolean {
  return k < num_functionality_keys && blockStart[k] !== 0;
}

/** `AutogradCPU` -> `CPUBit`; a key that is not per-backend -> `InvalidBit`. */
export function toBackendComponent(k: DispatchKey): BackendComponent {
  if (k < DispatchKey.StartOfDenseBackends || k > DispatchKey.EndOfRuntimeBackendKeys)
    return BackendComponent.InvalidBit;
  return ((k - DispatchKey.StartOfDenseBackends) % (num_backends + 1)) as BackendComponent;
}

/** `AutogradCPU` -> `AutogradFunctionality`; a functionality -> itself; an alias -> `Undefined`. */
export function toFunctionalityKey(k: DispatchKey): DispatchKey {
  if (k <= DispatchKey.EndOfFunctionalityKeys) return k;
  if (k > DispatchKey.EndOfRuntimeBackendKeys) return DispatchKey.Undefined;
  const block = perBackendBlocks[Math.floor((k - DispatchKey.StartOfDenseBackends) / (num_backends + 1))];
  return block === undefined ? DispatchKey.Undefined : block.functionality;
}

/** (`Dense`, `CUDABit`) -> `CUDA`. A functionality without backends gives `Undefined`. */
export function toRuntimePerBackendFunctionalityKey(
  functionality_k: DispatchKey,
  backend_k: BackendComponent,
): DispatchKey {
  const start = functionality_k < num_functionality_keys ? blockStart[functionality_k] : 0;
  return (start === 0 ? DispatchKey.Undefined : start + backend_k) as DispatchKey;
}

const backendOfDeviceType: ReadonlyMap<DeviceType, BackendComponent> = new Map([
  [DeviceType.CPU, BackendComponent.CPUBit],
  [DeviceType.CUDA, BackendComponent.CUDABit],
  [DeviceType.HIP, BackendComponent.HIPBit],
  [DeviceType.XLA, BackendComponent.XLABit],
  [DeviceType.Lazy, BackendComponent.LazyBit],
  [DeviceType.MPS, BackendComponent.MPSBit],
  [DeviceType.IPU, BackendComponent.IPUBit],
  [DeviceType.XPU, BackendComponent.XPUBit],
  [DeviceType.HPU, BackendComponent.HPUBit],
  [DeviceType.VE, BackendComponent.VEBit],
  [DeviceType.MTIA, BackendComponent.MTIABit],
  [DeviceType.MAIA, BackendComponent.MAIABit],
  [DeviceType.PrivateUse1, BackendComponent.PrivateUse1Bit],
  [DeviceType.Meta, BackendComponent.MetaBit],
] as [DeviceType, BackendComponent][]);

/** `toBackendComponent` of a device type (in C++ an overload). */
export function deviceTypeToBackendComponent(device_type: DeviceType): BackendComponent {
  return backendOfDeviceType.get(device_type) ?? BackendComponent.InvalidBit;
}

const isBlockMark = (name: string): boolean => /^(StartOf|EndOf)/.test(name);
const oldSpellings: ReadonlySet<string> = new Set([
  "CatchAll",
  "CPUTensorId",
  "CUDATensorId",
  "DefaultBackend",
  "PrivateUse1_PreAutograd",
  "PrivateUse2_PreAutograd",
  "PrivateUse3_PreAutograd",
  "Autocast",
]);

const nameOfKey: string[] = [];
for (const [name, key] of Object.entries(DispatchKey)) {
  if (!isBlockMark(name) && !oldSpellings.has(name)) nameOfKey[key] = name;
}

/** Backends whose runtime key `parseDispatchKey` knows, by functionality. PyTorch's table is hand-written and has gaps. */
const parsable: ReadonlyMap<DispatchKey, readonly string[]> = new Map([
  [DispatchKey.Quantized, ["CPU", "CUDA", "XPU", "PrivateUse1"]],
  [DispatchKey.Sparse, ["CPU", "CUDA", "HIP", "MPS", "XPU", "VE", "PrivateUse1", "Meta"]],
  [DispatchKey.SparseCsr, ["CPU", "CUDA", "HIP", "MPS", "XPU", "VE", "PrivateUse1", "Meta"]],
  [DispatchKey.NestedTensor, ["CPU", "CUDA", "XPU", "HPU", "PrivateUse1", "Meta"]],
  // biome-ignore format: table
  [DispatchKey.AutogradFunctionality, ["CPU", "CUDA", "XLA", "MPS", "IPU", "XPU", "HPU", "Lazy", "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"]],
] as [DispatchKey, string[]][]);

const keyOfName = new Map<string, DispatchKey>();
for (const [value, name] of nameOfKey.entries()) {
  if (name === undefined) continue;
  const key = value as DispatchKey;
  const backends =
    toBackendComponent(key) === BackendComponent.InvalidBit ? undefined : parsable.get(toFunctionalityKey(key));
  if (backends === undefined || backends.some((backend) => name.endsWith(backend))) keyOfName.set(name, key);
}

export function toString(k: DispatchKey): string {
  return nameOfKey[k] ?? "UNKNOWN_TENSOR_TYPE_ID";
}

const nameOfBackend: readonly string[] = Object.keys(BackendComponent).map((name) =>
  name === "MTIABit" || name === "MAIABit" ? name.slice(0, -3) : name,
);

export function backendToString(k: BackendComponent): string {
  return nameOfBackend[k] ?? "UNKNOWN_BACKEND_BIT";
}

/** The key with this name. Older spellings are names in C++ only, and so are a few runtime keys. */
export function parseDispatchKey(k: string): DispatchKey {
  const key = keyOfName.get(k);
  TORCH_CHECK(key !== undefined, "could not parse dispatch key: ", k);
  return key;
}
