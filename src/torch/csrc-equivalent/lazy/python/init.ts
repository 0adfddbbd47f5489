/**
 * @file The functions of `torch._C._lazy` and `torch._C._lazy_ts_backend`.
 * @mirrors torch/csrc/lazy/python/init.cpp
 */
import { IValue } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { PyBytes } from "#python/Objects/bytesobject";
import type { TensorBase } from "../../autograd/python_variable/type.ts";
import { THPVariable_Wrap } from "../../autograd/python_variable/wrap.ts";
import { atenDeviceToBackendDevice, type BackendDevice } from "../backend/backend_device.ts";
import { getBackend } from "../backend/backend_interface.ts";
import { FLAGS } from "../core/config.ts";
import { BytesToHash, HashToBytes } from "../core/hash.ts";
import type { Node } from "../core/ir.ts";
import { DumpUtil } from "../core/ir_dump_util.ts";
import { ComputePostOrder } from "../core/ir_util.ts";
import { LazyGraphExecutor } from "../core/lazy_graph_executor.ts";
import { CreateMetricReport, MetricsArena } from "../core/metrics.ts";
import type { LazyTensor } from "../core/tensor.ts";
import { GetLtcTensor, TryGetLtcTensor } from "../core/tensor_conversions.ts";
import { TrieCache } from "../core/trie.ts";
import { DeviceData } from "../ts_backend/ops/device_data.ts";
import { InitTorchScriptBackend, type TSData } from "../ts_backend/ts_backend_impl.ts";
import type { TSComputation } from "../ts_backend/ts_lowering_context.ts";

type Tensors = readonly TensorBase[];
/** 16 bytes. */
export type GraphHash = PyBytes;

const wrap = (t: Tensor): TensorBase => THPVariable_Wrap(t) as TensorBase;

/** The device with this name, `lazy:1`; the first one if the name is empty. */
function GetDeviceOrCurrent(device_str: string): BackendDevice {
  return atenDeviceToBackendDevice(device_str === "" ? new Device(DeviceType.Lazy, 0) : Device.parse(device_str));
}

const lazy_tensors = (tensors: Tensors): LazyTensor[] => tensors.map(({ cdata }) => GetLtcTensor(cdata));

/** The lazy tensors among them; others are not waited for. */
function GetLtcTensors(tensors: Tensors): LazyTensor[] {
  return tensors.map(({ cdata }) => TryGetLtcTensor(cdata)).filter((tensor) => tensor !== null);
}

const nodes_of = (tensors: Tensors): Node[] => lazy_tensors(tensors).map((tensor) => tensor.GetIrValue().node);

// torch._C._lazy ---------------------------------------------------------------------------------------------------------------

/** Computes all tensors that the program holds, and ends the step. */
export function _mark_step(device: string): void {
  const backend_device = GetDeviceOrCurrent(device);
  LazyGraphExecutor.Get().SyncLiveTensorsGraph(backend_device);
  LazyGraphExecutor.Get().MarkStep();
}

/** Computes these tensors. */
export function _sync_multi(tensors: Tensors, sync_ltc_data: boolean): void {
  LazyGraphExecutor.Get().SyncTensorsGraph(GetLtcTensors(tensors), true, sync_ltc_data);
}

export function _reset_metrics(): void {
  MetricsArena.Get().ResetCounters();
  MetricsArena.Get().ResetMetrics();
}

/** Names of counters that are not 0, sorted. */
export function _counter_names(): string[] {
  return MetricsArena.Get().GetCounterNames();
}

/** None for a counter that was never used. */
export function _counter_value(name: string): number | null {
  return MetricsArena.Get().GetCounter(name)?.Value() ?? null;
}

export function _metrics_report(): string {
  return CreateMetricReport() + getBackend().CreateMetricReport();
}

/** The 16 bytes of the hash under which the graph is compiled. */
export function _get_graph_hash(tensors: Tensors): GraphHash {
  return new PyBytes(HashToBytes(LazyGraphExecutor.Get().GetGraphHash(lazy_tensors(tensors))));
}

export function _get_tensor_id(tensor: TensorBase): number {
  return GetLtcTensor(tensor.cdata).GetUniqueId();
}

/** The graph below these tensors, a line for each node. */
export function _get_tensors_text(tensors: Tensors): string {
  return DumpUtil.ToText(nodes_of(tensors));
}

/** The graph below these tensors in the dot language. */
export function _get_tensors_dot(tensors: Tensors): string {
  return DumpUtil.ToDot(nodes_of(tensors));
}

/** The graph of TorchScript that would compute these tensors. */
export function _get_tensors_backend(tensors: Tensors): string {
  return LazyGraphExecutor.Get().DumpBackendComputation(lazy_tensors(tensors));
}

export function _get_force_fallback(): string {
  return FLAGS.ltc_force_fallback;
}

export function _set_force_fallback(newval: string): void {
  FLAGS.ltc_force_fallback = newval;
}

export function _clear_ir_cache(): void {
  TrieCache.Get().Clear();
}

/** The nodes of earlier steps in the dot language. */
export function _ir_cache_dot(): string {
  return TrieCache.Get().ToDot();
}

export function _set_reuse_ir(val: boolean): void {
  FLAGS.torch_lazy_reuse_ir = val;
}

/** The device on which lazy tensors are computed. */
export function _get_default_device_type(): string {
  return Device.of(getBackend().EagerFallbackDeviceType()).str().toUpperCase();
}

// torch._C._lazy_ts_backend ------------------------------------------------------------------------------------------------------

export { InitTorchScriptBackend as _init };

/** The values at the leaves of a graph, in the order in which the graph takes them: numbers of the tensors from which they came (-1 for a number of the program), and the values. */
export function _get_tensors_ts_device_data_node(tensors: Tensors): [number[], TensorBase[]] {
  const data = new Set(
    ComputePostOrder(nodes_of(tensors))
      .filter((node) => node instanceof DeviceData)
      .map((node) => node.data()),
  );
  const inputs = [...data];
  return [inputs.map((each) => each.info()?.tensor_id ?? -1), inputs.map((each) => wrap((each as TSData).data()))];
}

/** Runs a graph that has been compiled. */
export function _run_cached_graph(hash: GraphHash, graph_inputs: Tensors): TensorBase[] {
  const cached = LazyGraphExecutor.Get().GetCachedComputation(BytesToHash(hash.data));
  TORCH_CHECK(
    cached !== null,
    "Failed to get computation by hash ",
    hash,
    ". Maybe the entry get kicked out of the LRU cache",
  );
  const stack = graph_inputs.map(({ cdata }) => IValue.fromTensor(cdata));
  (cached as TSComputation).graph_executor().run(stack);
  return stack.map((result) => wrap(result.toTensor() as Tensor));
}
