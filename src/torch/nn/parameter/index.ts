/**
 * @file Tensors that belong to a module: a `Parameter` is trained, a `Buffer` is state that is not.
 * @mirrors torch/nn/parameter.py
 */

import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { _C, having, kWrap, python_type, set_ParameterClass, subclass_data, THPVariable_CheckExact } from "#torch/_C";
import type { Reduced } from "#torch/_pickle/index";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { reduce_parameter } from "#torch/_tensor/reduce";
import { torch } from "#torch/_torch";

const Parameter_new = new Init(
  "Parameter.__new__(cls, data=None, requires_grad=True)",
  types<[data: Tensor | null, requires_grad: boolean]>,
);

/** A tensor that is trained: when it is assigned to a module, it becomes one of the module's `parameters()`. */
export class Parameter extends Tensor {
  static override readonly __module__: string = "torch.nn.parameter";

  static {
    def_methods(Parameter, { __init__: Parameter_new });
  }

  /** Disabled, so that the engine treats a Parameter as a plain tensor and overrides no function for it. */
  static override __torch_function__ = _C._disabled_torch_function_impl as typeof Tensor.__torch_function__;

  /** A tensor of a subclass with `__torch_function__` keeps its class; it counts as a Parameter because of a mark. */
  static override [Symbol.hasInstance](instance: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, instance)) return true;
    return this === Parameter && instance instanceof Tensor && (instance as MarkedParameter)._is_param === true;
  }

  /** Makes a parameter that shares its memory with `data`. */
  // biome-ignore lint/correctness/noUnreachableSuper: like `Parameter.__new__`, it may return an object of another class
  constructor(...args: InitArgs<typeof Parameter_new>) {
    const [data, requires_grad] = Parameter_new.bind(args);
    // biome-ignore lint/correctness/noConstructorReturn: see above
    if (data !== null && !THPVariable_CheckExact(data)) return mark(data, requires_grad) as Parameter;
    super(kWrap, subclass_data(new.target, data ?? torch.empty(0), requires_grad));
  }

  override __repr__(): string {
    return `Parameter containing:\n${super.__repr__()}`;
  }

  override __reduce_ex__(_proto: number): Reduced {
    return reduce_parameter(this);
  }

  override __deepcopy__(memo: Map<unknown, unknown>): this {
    if (!(memo instanceof Map)) throw new TypeError_(`argument of type '${python_type(memo)}' is not iterable`);
    const known = memo.get(this);
    if (known !== undefined) return known as this;
    const copy = this.data.clone({ memory_format: torch.preserve_format });
    const result = new (this.constructor as typeof Parameter)(copy, this.requires_grad) as this;
    memo.set(this, result);
    return result;
  }
}

interface MarkedParameter extends Tensor {
  _is_param?: boolean;
}

function mark(data: Tensor, requires_grad: boolean): Tensor {
  const t: MarkedParameter = having(data, "detach").detach().requires_grad_(requires_grad);
  if (t.constructor !== data.constructor) {
    throw new RuntimeError(
      `Creating a Parameter from an instance of type ${data.constructor.name} requires that detach() returns an instance of the same type, but return type ${t.constructor.name} was found instead. To use the type as a Parameter, please correct the detach() semantics defined by its __torch_dispatch__() implementation.`,
    );
  }
  t._is_param = true;
  return t;
}

set_ParameterClass(Parameter);

/** The type of buffers: any tensor with the mark counts as an instance. */
export interface Buffer extends Tensor {
  /** Whether `state_dict` contains it. */
  persistent: boolean;
  readonly _is_buffer: true;
}

/** Creates a plain tensor and marks it, as PyTorch's class does. */
const make_buffer = def(
  "Buffer.__new__(cls, data=None, *, persistent=True)",
  (data: Tensor | null, persistent: boolean): Buffer => {
    const source = data ?? torch.empty(0);
    const t = having(source, "detach").detach().requires_grad_(source.requires_grad);
    return Object.assign(t, { persistent, _is_buffer: true as const });
  },
);

Object.defineProperty(make_buffer, Symbol.hasInstance, {
  value: (instance: unknown) =>
    instance instanceof Tensor && (instance as { _is_buffer?: boolean })._is_buffer === true,
});

type BufferType = typeof make_buffer & {
  new (data?: Tensor | null, kwargs?: { persistent?: boolean }): Buffer;
  new (kwargs: { data?: Tensor | null; persistent?: boolean }): Buffer;
  [Symbol.hasInstance](instance: unknown): instance is Buffer;
};

/** A tensor that belongs to a module's state but is not trained; assigning it to a module registers it. */
export const Buffer = make_buffer as BufferType;
