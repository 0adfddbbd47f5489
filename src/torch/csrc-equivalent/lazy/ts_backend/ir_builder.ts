/**
 * @file The TorchScript backend's classes of nodes without an operator.
 * @mirrors torch/csrc/lazy/ts_backend/ir_builder.h
 */
import type { Scalar as ScalarValue } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import type { BackendData } from "../backend/backend_data.ts";
import type { Node, Value } from "../core/ir.ts";
import type { IrBuilder } from "../core/ir_builder.ts";
import { CacheNode, ReuseNode } from "../core/trie.ts";
import { DeviceData } from "./ops/device_data.ts";
import { Cast, Expand, Scalar } from "./ops/non_native.ts";
import { TensorList } from "./ts_node.ts";

export class TorchScriptIrBuilder implements IrBuilder {
  MakeDeviceData(data: BackendData): Node {
    return DeviceData.Create(data);
  }

  MakeScalar(value: ScalarValue, type: ScalarType): Node {
    return new Scalar(value, type);
  }

  MakeExpand(input0: Value, size: readonly number[], is_scalar_expand: boolean): Node {
    const reused = ReuseNode(Expand, input0, size, is_scalar_expand);
    return reused ?? CacheNode(new Expand(input0, size, is_scalar_expand));
  }

  MakeCast(input0: Value, dtype: ScalarType, stype: ScalarType | null): Node {
    return ReuseNode(Cast, input0, dtype, stype) ?? CacheNode(new Cast(input0, dtype, stype));
  }

  MakeTensorList(inputs: readonly Value[]): Node {
    return ReuseNode(TensorList, inputs) ?? CacheNode(new TensorList(inputs));
  }
}
