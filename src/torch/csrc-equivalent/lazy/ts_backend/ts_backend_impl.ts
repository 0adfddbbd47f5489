/**
 * @file The backend that compiles to TorchScript and executes on the CPU.
 * @mirrors torch/csrc/lazy/ts_backend/ts_backend_impl.h
 */
import { IValue } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DeviceType } from "#c10/core/DeviceType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { BackendData } from "../backend/backend_data.ts";
import type { BackendDevice } from "../backend/backend_device.ts";
import { type BackendImplInterface, BackendRegistrar } from "../backend/backend_interface.ts";
import type { Computation } from "../backend/lowering_context.ts";
import type { Node } from "../core/ir.ts";
import type { EmissionMap } from "../core/ir_util.ts";
import type { Shape } from "../core/shape.ts";
import { shape_of } from "../core/tensor_util.ts";
import { RegisterTorchScriptLazyNativeFunctions } from "../generated/RegisterLazy.ts";
import { TorchScriptIrBuilder } from "./ir_builder.ts";
import { DeviceData } from "./ops/device_data.ts";
import { register_ts_ltc_eager_fallback } from "./ts_eager_fallback.ts";
import { type TSComputation, TSLoweringContext } from "./ts_lowering_context.ts";
import { RegisterHandWrittenKernels } from "./ts_native_functions.ts";

/** A value on the backend's device: a tensor of the CPU, or a place for one. */
export class TSData extends BackendData {
  private data_: Tensor | null;

  constructor(data: Tensor | null, shape: Shape, device: BackendDevice) {
    super(device, shape);
    this.data_ = data;
  }

  override Assign(data: BackendData): void {
    this.data_ = (data as TSData).data_;
  }

  override HasValue(): boolean {
    return this.data_ !== null;
  }

  data(): Tensor {
    TORCH_INTERNAL_ASSERT(this.data_ !== null);
    return this.data_ as Tensor;
  }
}

export class TSBackendImpl implements BackendImplInterface {
  private readonly ir_builder = new TorchScriptIrBuilder();

  GetIrBuilder(): TorchScriptIrBuilder {
    return this.ir_builder;
  }

  MakeComputationDataFromTensor(tensor: Tensor, shape: Shape, device: BackendDevice): BackendData {
    return new TSData(tensor.detach(), shape, device);
  }

  CreateDataPlaceholder(device: BackendDevice, shape: Shape): BackendData {
    return new TSData(null, shape, device);
  }

  GetComputationDataFromNode(node: Node): BackendData | null {
    return node instanceof DeviceData ? node.data() : null;
  }

  MakeTensorFromComputationData(data: BackendData): Tensor {
    return (data as TSData).data();
  }

  CreateLoweringContext(
    name: string,
    device: BackendDevice,
    post_order: readonly Node[],
    emit_status: EmissionMap,
  ): TSLoweringContext {
    return new TSLoweringContext(name, device, post_order, emit_status);
  }

  /** A graph of TorchScript is ready as it is: its executor optimizes it when it runs. */
  Compile(instances: readonly Computation[]): readonly Computation[] {
    return instances;
  }

  ExecuteComputation(
    computation: Computation,
    args: readonly BackendData[],
    device: BackendDevice,
  ): readonly BackendData[] {
    const stack = args.map((argument) => IValue.fromTensor((argument as TSData).data()));
    (computation as TSComputation).graph_executor().run(stack);
    return stack.map((result) => {
      const tensor = result.toTensor() as Tensor;
      return new TSData(tensor, shape_of(tensor), device);
    });
  }

  EagerFallbackDeviceType(): DeviceType {
    return DeviceType.CPU;
  }

  CreateMetricReport(): string {
    return "TSBackendImpl: N/A\n";
  }

  GetComputationBackendText(computation: Computation): string {
    return computation.to_string();
  }
}

let initialized = false;

/** Makes it the backend, and gives the device `lazy` its operators. Only the first call has an effect. */
export function InitTorchScriptBackend(): void {
  if (initialized) return;
  initialized = true;
  BackendRegistrar(new TSBackendImpl());
  RegisterTorchScriptLazyNativeFunctions();
  RegisterHandWrittenKernels();
  register_ts_ltc_eager_fallback();
}
