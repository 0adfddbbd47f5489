/**
 * @file A computation that a backend has made of a graph, and the state while it is made.
 * @mirrors torch/csrc/lazy/backend/lowering_context.h
 */
import type { Node, Output } from "../core/ir.ts";
import type { EmissionMap } from "../core/ir_util.ts";
import type { BackendData } from "./backend_data.ts";
import type { BackendDevice } from "./backend_device.ts";
import { getBackend } from "./backend_interface.ts";

export abstract class Computation {
  /** Whether it was made at a step's end. If not, a value was read early. */
  in_mark_step = false;

  abstract parameters_size(): number;
  abstract parameter_names(): readonly string[];
  abstract to_string(): string;
}

export abstract class LoweringContext {
  readonly name: string;
  protected readonly device_: BackendDevice;
  protected readonly parameters_: BackendData[] = [];
  protected readonly emit_status_: EmissionMap;

  constructor(name: string, device: BackendDevice, emit_status: EmissionMap = new Map()) {
    this.name = name;
    this.device_ = device;
    this.emit_status_ = emit_status;
  }

  /** A context of the backend. @param post_order nodes to lower now */
  static Create(
    name: string,
    device: BackendDevice,
    post_order: readonly Node[] = [],
    emit_status: EmissionMap = new Map(),
  ): LoweringContext {
    return getBackend().CreateLoweringContext(name, device, post_order, emit_status);
  }

  device(): BackendDevice {
    return this.device_;
  }

  /** Values of the computation's parameters, in order. */
  GetParametersData(): readonly BackendData[] {
    return this.parameters_;
  }

  GetEmittedNodeCount(): number {
    return this.emit_status_.size;
  }

  /** Adds a result; returns its place among the results. */
  abstract AddResult(output: Output): number;

  abstract Build(): Computation;
}
