/**
 * @file Executes graphs: it knows the tensors that have not been computed, the graphs that have been compiled, and numbers on the device.
 * @mirrors torch/csrc/lazy/core/lazy_graph_executor.h
 * @differs Graphs are executed at once; PyTorch can execute them on other threads, so it has locks and barriers that are missing here.
 *
 *     SyncTensorsGraph([c])
 *       CollectSyncTensors     tensors without a value; the hash of their nodes
 *       RunPostOrder           all nodes below, operands first; the values at the leaves are the parameters
 *       TryRunCachedSync       hash known: CachedCompile, take that computation
 *       Compile                hash new: UncachedCompile, the backend makes a computation of the nodes
 *       Schedule...            run it on the parameters; results become the tensors' values, and their nodes are dropped
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { BackendData } from "../backend/backend_data.ts";
import type { BackendDevice } from "../backend/backend_device.ts";
import { getBackend, getIrBuilder } from "../backend/backend_interface.ts";
import { type Computation, LoweringContext } from "../backend/lowering_context.ts";
import { Cache } from "./cache.ts";
import { FLAGS } from "./config.ts";
import { Hash, HashCombine, type hash_t, MHash } from "./hash.ts";
import { ltc_not_supported } from "./internal_ops/ltc_ops.ts";
import { type Node, Value } from "./ir.ts";
import { DumpUtil } from "./ir_dump_util.ts";
import { ComputePostOrder, type EmissionMap } from "./ir_util.ts";
import { LiveTensors } from "./live_tensors.ts";
import { TORCH_LAZY_COUNTER, TORCH_LAZY_VALUE_METRIC } from "./metrics.ts";
import { cut_recorded } from "./recording.ts";
import type { Shape } from "./shape.ts";
import type { LazyTensor } from "./tensor.ts";
import { CopyTensor, TensorToDataHandle } from "./tensor_util.ts";
import { TrieCache } from "./trie.ts";

interface SyncTensorCollection {
  /** Whether tensors get values on the device, so that the graph above them is no longer needed. */
  readonly force_ltc_data: boolean;
  /** Tensors with a node that must be computed. */
  readonly tensors: LazyTensor[];
  hash: hash_t;
  readonly device: BackendDevice;
}

interface PostOrderData {
  readonly post_order: readonly Node[];
  readonly emission_map: EmissionMap;
  /** The values at the leaves, each once. */
  readonly parameters_data: readonly BackendData[];
  /** The number of its value, for each leaf. */
  readonly parameter_sequence: readonly number[];
}

export class LazyGraphExecutor {
  private static readonly instance = new LazyGraphExecutor();
  private readonly live_tensors_ = new LiveTensors();
  private readonly computations_ = new Cache<hash_t, Computation>(() => FLAGS.torch_lazy_compilation_cache_size);
  /** Numbers on the device, by dtype and value. */
  private readonly data_cache_ = new Cache<string, BackendData>(() => FLAGS.torch_lazy_device_data_cache_size);
  private trim_counter_ = 0;

  static Get(): LazyGraphExecutor {
    return LazyGraphExecutor.instance;
  }

  // Tensors ------------------------------------------------------------------------------------------------------------------

  RegisterTensor(tensor: LazyTensor): void {
    this.live_tensors_.add(tensor);
    TORCH_LAZY_COUNTER("CreateLtcTensor");
  }

  /** A tensor that had a value has a node again. */
  RegisterPending(tensor: LazyTensor): void {
    this.live_tensors_.add(tensor);
  }

  /** Tensors of a device without a value on it, sorted by their numbers. */
  GetLiveTensors(device: BackendDevice | null): LazyTensor[] {
    return this.live_tensors_.get(device);
  }

  IncTrimCounter(): number {
    return ++this.trim_counter_;
  }

  // Numbers ------------------------------------------------------------------------------------------------------------------

  /** A tensor with one element on the device. Equal ones share a value. */
  GetDeviceData(tensor: Tensor, device: BackendDevice): BackendData {
    const dtype = tensor.scalar_type();
    const key = `${device} ${dtype} ${Hash(tensor.item())}`;
    const known = this.data_cache_.Get(key);
    if (known !== null) return known;
    TORCH_LAZY_COUNTER("DeviceDataCacheMiss");
    return this.data_cache_.Add(key, TensorToDataHandle(CopyTensor(tensor), device));
  }

  GetIrValueForScalar(value: Scalar, type: ScalarType, device: BackendDevice): Value {
    const is_bfloat16 = type === ScalarType.BFloat16; // `scalar_tensor` does not make it
    const tensor = at.scalar_tensor(value, new TensorOptions(is_bfloat16 ? ScalarType.Float : type));
    const data = this.GetDeviceData(is_bfloat16 ? CopyTensor(tensor, type) : tensor, device);
    data.SetInfo({ tensor_id: -1, read_only: true });
    return new Value(getIrBuilder().MakeDeviceData(data));
  }

  /** A number that an operator takes: it is no part of the graph, so another number gives the same graph. */
  GetIrValueForScalarFromCodegen(value: Scalar, device: BackendDevice): Value {
    return this.GetIrValueForScalar(value, value.type(), device);
  }

  /** A tensor whose elements are all `value`. */
  GetIrValueForExpandedScalar(value: Scalar, shape: Shape, device: BackendDevice): Value {
    const ir_value = this.GetIrValueForScalar(value, shape.scalar_type(), device);
    return shape.dim() === 0 ? ir_value : new Value(getIrBuilder().MakeExpand(ir_value, shape.sizes(), true));
  }

  // Steps --------------------------------------------------------------------------------------------------------------------

  /** Computes all tensors that the program still holds. */
  SyncLiveTensorsGraph(device: BackendDevice | null): void {
    this.SyncTensorsGraph(this.GetLiveTensors(device), true, true);
  }

  /** A step ends: the next one is compared with it from its beginning. */
  MarkStep(): void {
    TORCH_LAZY_COUNTER("MarkStep");
    this.trim_counter_ = 0;
    TrieCache.Get().ResetCurrent();
  }

  /** @param sync_ltc_data whether tensors forget the CPU tensor from which they came */
  SyncTensorsGraph(tensors: readonly LazyTensor[], force_ltc_data: boolean, sync_ltc_data: boolean): void {
    const coll = this.CollectSyncTensors(tensors, force_ltc_data);
    if (coll === null || coll.tensors.length === 0) return;
    const ir_values = coll.tensors.map((tensor) => tensor.CurrentIrValue() as Value);
    const tensors_data = SetTensorData(coll, sync_ltc_data);
    const po_data = this.RunPostOrder(ir_values);
    coll.hash = HashCombine(coll.hash, Hash(po_data.parameter_sequence));
    let computation = this.LookupCachedCompile(coll.hash);
    const roots = ir_values.map(({ node }) => node);
    cut_recorded(po_data.post_order, roots, computation !== null);
    let parameters = po_data.parameters_data;
    if (computation !== null) TORCH_LAZY_VALUE_METRIC("TensorsGraphSize", po_data.post_order.length);
    else {
      const compiled = this.Compile(coll, po_data, ir_values);
      TORCH_LAZY_VALUE_METRIC("TensorsGraphSize", compiled.emitted_nodes);
      parameters = compiled.parameters;
      computation = this.computations_.Add(coll.hash, compiled.computation);
    }
    const results = getBackend().ExecuteComputation(computation, parameters, coll.device);
    TORCH_CHECK(results.length === tensors_data.length);
    for (const [i, data] of tensors_data.entries()) data.Assign(results[i]);
  }

  private CollectSyncTensors(tensors: readonly LazyTensor[], force_ltc_data: boolean): SyncTensorCollection | null {
    if (tensors.length === 0) return null;
    const device = tensors[0].GetDevice();
    const other = tensors.find((tensor) => !tensor.GetDevice().equals(device))?.GetDevice();
    TORCH_CHECK(other === undefined, device, " vs ", other);
    const coll: SyncTensorCollection = { force_ltc_data, tensors: [], hash: MHash(force_ltc_data), device };
    let uploaded = 0;
    for (const tensor of new Set(tensors)) {
      if (tensor.CurrentDataHandle() !== null) continue;
      const ir_value = tensor.CurrentIrValue();
      if (ir_value === null) {
        tensor.GetDataHandle(); // the tensor stays where it was too, so a read need not fetch it
        uploaded++;
      } else if (ir_value.node.op() !== ltc_not_supported) {
        TORCH_LAZY_COUNTER("SyncedTensorsWithIR");
        coll.hash = HashCombine(coll.hash, ir_value.hash());
        coll.tensors.push(tensor);
      }
    }
    if (uploaded > 0) TORCH_LAZY_COUNTER("SyncTensorsToData", uploaded);
    coll.hash = MHash(coll.hash, String(device));
    return coll;
  }

  private RunPostOrder(ir_values: readonly Value[]): PostOrderData {
    const emission_map: EmissionMap = new Map();
    const post_order = ComputePostOrder(
      ir_values.map(({ node }) => node),
      emission_map,
    );
    const numbers = new Map<BackendData, number>();
    const parameter_sequence: number[] = [];
    for (const node of post_order) {
      const data = getBackend().GetComputationDataFromNode(node);
      if (data === null) continue;
      if (!numbers.has(data)) numbers.set(data, numbers.size);
      parameter_sequence.push(numbers.get(data) as number);
    }
    return { post_order, emission_map, parameters_data: [...numbers.keys()], parameter_sequence };
  }

  private LookupCachedCompile(hash: hash_t): Computation | null {
    const cached = this.computations_.Get(hash);
    TORCH_LAZY_COUNTER(cached === null ? "UncachedCompile" : "CachedCompile");
    return cached;
  }

  private Compile(coll: SyncTensorCollection, po_data: PostOrderData, ir_values: readonly Value[]) {
    const { post_order, emission_map } = po_data;
    const lowering_ctx = LoweringContext.Create("SyncTensorsGraph", coll.device, post_order, emission_map);
    for (const ir_value of ir_values) lowering_ctx.AddResult(ir_value);
    const built = lowering_ctx.Build();
    built.in_mark_step = coll.force_ltc_data;
    const [computation] = getBackend().Compile([built]);
    const parameters = lowering_ctx.GetParametersData();
    return { computation, parameters, emitted_nodes: lowering_ctx.GetEmittedNodeCount() };
  }

  // Questions ----------------------------------------------------------------------------------------------------------------

  /** The hash under which the graph of these tensors is compiled. */
  GetGraphHash(tensors: readonly LazyTensor[]): hash_t {
    const coll = this.CollectSyncTensors(tensors, true);
    if (coll === null) return 0n;
    const po_data = this.RunPostOrder(coll.tensors.map((tensor) => tensor.CurrentIrValue() as Value));
    return HashCombine(coll.hash, Hash(po_data.parameter_sequence));
  }

  /** Null if no graph of this hash has been compiled. */
  GetCachedComputation(hash: hash_t): Computation | null {
    return this.computations_.Get(hash);
  }

  /** The computation as the backend's text; empty if nothing is to be computed. */
  DumpBackendComputation(tensors: readonly LazyTensor[]): string {
    const ir_values = tensors.map((tensor) => tensor.CurrentIrValue()).filter((value) => value !== null);
    return ir_values.length === 0 ? "" : DumpUtil.ToBackend(ir_values, tensors[0].GetDevice());
  }
}

/** Each tensor gets an empty value, which the computation fills in, and its node is dropped. */
function SetTensorData(coll: SyncTensorCollection, sync_ltc_data: boolean): BackendData[] {
  return coll.tensors.map((tensor) => {
    const handle = getBackend().CreateDataPlaceholder(tensor.GetDevice(), tensor.shape());
    tensor.SetDataHandle(handle, sync_ltc_data);
    return handle;
  });
}
