/**
 * @file A lazy tensor: the node that will compute it, or the value on the device, or a tensor that has not been uploaded.
 * @mirrors torch/csrc/lazy/core/tensor.h
 *
 *     torch.tensor([1., 2.]).to("lazy")     tensor_data
 *     x * 2                                 ir_value of x: a device_data node; ir_value of the result: aten::mul
 *     torch._lazy.mark_step()               handle; the node is dropped, and with it all nodes that only it held
 *     x.cpu()                               nothing more: a value that was computed is not computed again
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { BackendData } from "../backend/backend_data.ts";
import type { BackendDevice } from "../backend/backend_device.ts";
import { getIrBuilder } from "../backend/backend_interface.ts";
import { FLAGS } from "./config.ts";
import { type Node, Value } from "./ir.ts";
import { GetGraphSize } from "./ir_util.ts";
import { LazyGraphExecutor } from "./lazy_graph_executor.ts";
import { TORCH_LAZY_COUNTER, TORCH_LAZY_TIMED } from "./metrics.ts";
import type { Shape } from "./shape.ts";
import { CopyTensor, DataHandlesToTensors, shape_of, TensorToDataHandle } from "./tensor_util.ts";

let next_tensor_id = 1;

/** Where a lazy tensor's value is, or will come from. At least one of the three is there. */
interface Source {
  readonly handle?: BackendData;
  readonly ir_value?: Value;
  readonly tensor_data?: Tensor;
}

export class LazyTensor {
  private handle: BackendData | null;
  private ir_value: Value | null;
  private tensor_data: Tensor | null;
  private readonly device: BackendDevice;
  private readonly unique_id = next_tensor_id++;

  private constructor(source: Source, device: BackendDevice) {
    this.handle = source.handle ?? null;
    this.ir_value = source.ir_value ?? null;
    this.tensor_data = source.tensor_data ?? null;
    this.device = device;
  }

  static Create(source: Source, device: BackendDevice): LazyTensor {
    const tensor = new LazyTensor(source, device);
    LazyGraphExecutor.Get().RegisterTensor(tensor);
    return tensor;
  }

  /** The tensor of a node's output. */
  static of_node(node: Node, device: BackendDevice, index = 0): LazyTensor {
    return LazyTensor.Create({ ir_value: new Value(node, index) }, device);
  }

  GetDevice(): BackendDevice {
    return this.device;
  }

  GetUniqueId(): number {
    return this.unique_id;
  }

  dtype(): ScalarType {
    return this.shape().scalar_type();
  }

  shape(): Shape {
    if (this.handle !== null) return this.handle.shape();
    return this.ir_value?.shape() ?? shape_of(this.tensor_data as Tensor);
  }

  size(dim: number): number {
    return this.shape().size(dim);
  }

  /** The value on the device; it is computed or uploaded if necessary. */
  GetDataHandle(): BackendData {
    if (this.handle === null) {
      if (this.ir_value !== null) this.ApplyPendingGraph();
      else this.handle = TensorToDataHandle(this.tensor_data as Tensor, this.device);
    }
    const { handle } = this;
    TORCH_CHECK(
      handle?.HasValue() === true,
      "Trying to access data while an async operation is in flight: ",
      this.shape(),
    );
    return handle as BackendData;
  }

  CurrentDataHandle(): BackendData | null {
    return this.handle;
  }

  /** @param sync whether the tensor that was not uploaded is out of date */
  SetDataHandle(handle: BackendData, sync = true): void {
    this.handle = handle;
    this.AssignIrValue(null);
    if (sync) this.tensor_data = null;
  }

  CurrentIrValue(): Value | null {
    return this.ir_value;
  }

  /** The node's output; a node is made for a value or a tensor. */
  GetIrValue(): Value {
    if (this.ir_value === null) {
      const value = this.handle === null ? this.GetIrValueForTensor() : this.CreateTensorNode(this.handle, false);
      // The value stays: another node can be made for it, and whoever wants the value need not compute it.
      this.AssignIrValue(value);
    }
    return this.ir_value as unknown as Value;
  }

  /** The tensor gets another value. */
  SetIrValue(ir_value: Value): void {
    this.handle = null;
    this.tensor_data = null;
    this.AssignIrValue(ir_value);
    LazyGraphExecutor.Get().RegisterPending(this);
    this.TryLimitGraphSize();
  }

  /** The tensor gets the result of an operator that writes in place: its dtype stays. */
  SetInPlaceIrValue(ir_value: Value): void {
    const dtype = this.dtype();
    const has_dtype = dtype === ir_value.shape().scalar_type();
    this.SetIrValue(has_dtype ? ir_value : new Value(getIrBuilder().MakeCast(ir_value, dtype, null)));
  }

  CurrentTensorData(): Tensor | null {
    return this.tensor_data;
  }

  private AssignIrValue(ir_value: Value | null): void {
    this.ir_value = ir_value;
  }

  /** Assigns a tensor from another device. */
  SetTensor(tensor: Tensor): void {
    this.tensor_data = tensor;
    this.handle = null;
    this.AssignIrValue(null);
    LazyGraphExecutor.Get().RegisterPending(this);
  }

  /** @param sync whether the upload happens now, so that the caller may change `tensor` */
  UpdateFromTensor(tensor: Tensor, sync: boolean): void {
    if (!sync) {
      this.SetTensor(tensor);
      return;
    }
    const typed_tensor = CopyTensor(tensor, this.dtype(), false);
    this.SetIrValue(this.IrValueOf(typed_tensor));
  }

  /** Takes the value of a result. */
  UpdateFromTensorOut(result: Tensor | LazyTensor): void {
    if (result instanceof LazyTensor) this.SetIrValue(result.GetIrValue());
    else this.UpdateFromTensor(result, false);
  }

  private GetIrValueForTensor(): Value {
    return this.IrValueOf(this.tensor_data as Tensor);
  }

  /** Equal numbers share a value on the device. */
  private IrValueOf(tensor: Tensor): Value {
    const is_number = tensor.dim() === 0 && tensor.numel() === 1;
    const data = is_number
      ? LazyGraphExecutor.Get().GetDeviceData(tensor, this.device)
      : TORCH_LAZY_TIMED("IrValueTensorToDataHandle", () => TensorToDataHandle(tensor, this.device));
    return this.CreateTensorNode(data, is_number);
  }

  private CreateTensorNode(data: BackendData, read_only: boolean): Value {
    data.SetInfo({ tensor_id: this.unique_id, read_only });
    return new Value(getIrBuilder().MakeDeviceData(data));
  }

  /** Executes the graph below this tensor, if its value is not there. */
  ApplyPendingGraph(): void {
    if (this.handle === null) LazyGraphExecutor.Get().SyncTensorsGraph([this], true, false);
  }

  /** A graph without end is executed now and then. */
  private TryLimitGraphSize(): void {
    if (this.ir_value === null) return;
    if (LazyGraphExecutor.Get().IncTrimCounter() % FLAGS.torch_lazy_trim_graph_check_frequency !== 0) return;
    if (GetGraphSize([this.ir_value.node]) <= FLAGS.torch_lazy_trim_graph_size) return;
    TORCH_LAZY_COUNTER("TrimIrGraph");
    this.ApplyPendingGraph();
  }

  /**
   * The value as a tensor of the device that computes. This is a cut: the graph is executed.
   * @param detached whether the caller may change the result
   */
  ToTensor(detached: boolean): Tensor {
    if (this.tensor_data === null) {
      const [tensor] = DataHandlesToTensors([this.GetDataHandle()]);
      if (!detached) this.tensor_data = tensor;
      return tensor;
    }
    const tensor = this.tensor_data;
    if (!detached) return tensor;
    if (this.ir_value === null && this.handle === null) return CopyTensor(tensor);
    this.tensor_data = null; // the value is there a second time, so the caller can have this one
    return tensor;
  }

  /** The tensors of all outputs of a node. */
  MakeOutputTensors(node: Node): LazyTensor[] {
    return Array.from({ length: node.num_outputs() }, (_, i) => LazyTensor.of_node(node, this.device, i));
  }
}
