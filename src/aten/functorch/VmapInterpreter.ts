/**
 * @file The transform of `vmap`: an operator on batched tensors runs its batching rule.
 * @mirrors aten/src/ATen/functorch/VmapInterpreter.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Interpreter, type RandomnessType, setup_dispatch_key_tls, TransformType } from "./Interpreter.ts";

const vmap_mode = DispatchKeySet.of(DispatchKey.FuncTorchVmapMode);

export class VmapInterpreter extends Interpreter {
  private readonly batchSize_: number;
  private readonly randomness_: RandomnessType;

  constructor(level: number, batchSize: number, randomness: RandomnessType) {
    super(TransformType.Vmap, level);
    this.batchSize_ = batchSize;
    this.randomness_ = randomness;
  }

  batchSize(): number {
    return this.batchSize_;
  }
  randomness(): RandomnessType {
    return this.randomness_;
  }

  process(op: OperatorHandle, stack: Stack): void {
    setup_dispatch_key_tls(TransformType.Vmap, vmap_mode);
    op.callBoxed(stack);
  }

  sendToNextInterpreter(op: OperatorHandle, stack: Stack): void {
    op.callBoxed(stack);
  }
}
