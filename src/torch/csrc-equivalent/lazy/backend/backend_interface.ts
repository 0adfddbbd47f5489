/**
 * @file The backend as lazy tensors see it: it keeps values, compiles graphs and executes them.
 * @mirrors torch/csrc/lazy/backend/backend_interface.h
 * @differs One device and no others: there are no functions that list or choose devices, nor those of distributed programs.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { DeviceType } from "#c10/core/DeviceType";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { Node } from "../core/ir.ts";
import type { IrBuilder } from "../core/ir_builder.ts";
import type { EmissionMap } from "../core/ir_util.ts";
import type { Shape } from "../core/shape.ts";
import type { BackendData } from "./backend_data.ts";
import type { BackendDevice } from "./backend_device.ts";
import type { Computation, LoweringContext } from "./lowering_context.ts";

export interface BackendImplInterface {
  GetIrBuilder(): IrBuilder;

  MakeComputationDataFromTensor(tensor: Tensor, shape: Shape, device: BackendDevice): BackendData;
  /** A value that a computation will have filled in when it has run. */
  CreateDataPlaceholder(device: BackendDevice, shape: Shape): BackendData;
  /** The value of a node that is nothing but a value; null for other nodes. */
  GetComputationDataFromNode(node: Node): BackendData | null;
  MakeTensorFromComputationData(data: BackendData): Tensor;

  CreateLoweringContext(
    name: string,
    device: BackendDevice,
    post_order: readonly Node[],
    emit_status: EmissionMap,
  ): LoweringContext;
  Compile(instances: readonly Computation[]): readonly Computation[];
  ExecuteComputation(
    computation: Computation,
    args: readonly BackendData[],
    device: BackendDevice,
  ): readonly BackendData[];

  /** The device on which operators run that the backend does not know. */
  EagerFallbackDeviceType(): DeviceType;
  /** The backend's part of `metrics_report()`. */
  CreateMetricReport(): string;
  GetComputationBackendText(computation: Computation): string;
}

let backend_impl_registry: BackendImplInterface | null = null;

/** From now on lazy tensors use this backend. */
export function BackendRegistrar(backend_impl_interface: BackendImplInterface): void {
  backend_impl_registry = backend_impl_interface;
}

export function hasBackend(): boolean {
  return backend_impl_registry !== null;
}

/** @throws {RuntimeError} before `torch._lazy.ts_backend.init()` */
export function getBackend(): BackendImplInterface {
  TORCH_CHECK(backend_impl_registry !== null, "Lazy tensor backend not registered.");
  return backend_impl_registry as BackendImplInterface;
}

export function getIrBuilder(): IrBuilder {
  return getBackend().GetIrBuilder();
}
