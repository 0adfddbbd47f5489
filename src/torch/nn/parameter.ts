/**
 * @file Tensors that a module owns: `Parameter` is trained, `Buffer` is state.
 * @mirrors torch/nn/parameter.py
 */

import { _C, isDict, kWrap, set_ParameterClass, subclass_data } from "#torch/_C";
import { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";

/** A tensor that a module trains: assigned to a module, it is among its `parameters()`. */
export class Parameter extends Tensor {
  /** The engine treats a Parameter as a plain tensor: no function is overridden for it. */
  static override __torch_function__ = _C._disabled_torch_function_impl as typeof Tensor.__torch_function__;

  /** @param data shares its memory with the parameter. */
  constructor(data: Tensor | null | undefined, requires_grad: boolean | { requires_grad?: boolean } = true) {
    const requires = isDict(requires_grad) ? (requires_grad.requires_grad ?? true) : requires_grad;
    super(kWrap, subclass_data(data ?? torch.empty(0), requires));
  }

  override __repr__(): string {
    return `Parameter containing:\n${super.__repr__()}`;
  }

  override __deepcopy__(memo: Map<unknown, unknown> = new Map()): Parameter {
    const known = memo.get(this);
    if (known !== undefined) return known as Parameter;
    const result = new (this.constructor as typeof Parameter)(
      this.data.clone({ memory_format: torch.preserve_format }),
      this.requires_grad,
    );
    memo.set(this, result);
    return result;
  }
}

set_ParameterClass(Parameter);

/** A tensor that a module keeps as state: any tensor with the mark is an instance. */
export interface Buffer extends Tensor {
  /** Whether `state_dict` holds it. */
  persistent: boolean;
  readonly _is_buffer: true;
}

interface BufferType {
  new (data?: Tensor | null, options?: { persistent?: boolean }): Buffer;
  (data?: Tensor | null, options?: { persistent?: boolean }): Buffer;
  [Symbol.hasInstance](instance: unknown): instance is Buffer;
}

/** As in PyTorch, the class makes plain tensors and marks them. */
function make_buffer(data: Tensor | null = null, { persistent = true }: { persistent?: boolean } = {}): Buffer {
  const source = data ?? torch.empty(0);
  const t = source.detach().requires_grad_(source.requires_grad);
  return Object.assign(t, { persistent, _is_buffer: true as const });
}

Object.defineProperty(make_buffer, Symbol.hasInstance, {
  value: (instance: unknown) =>
    instance instanceof Tensor && (instance as { _is_buffer?: boolean })._is_buffer === true,
});

/** A tensor that belongs to a module's state and is not trained; assigning it to a module registers it. */
export const Buffer = make_buffer as unknown as BufferType;
