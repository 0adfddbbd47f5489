/**
 * @file Parameters and buffers without a shape, which lazy modules have until their first call.
 * @mirrors torch/nn/parameter.py#UninitializedTensorMixin
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { kWrap, subclass_data } from "#torch/_C";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { DeviceLike, dtype } from "#torch/types";
import { Parameter } from "./index.ts";

/** Functions that need no shape; reading and writing attributes is allowed, too. */
const ALLOWED = new Set(
  "size copy_ is_complex is_floating_point half float double char short int long cuda cpu to get_device _has_compatible_shallow_copy_type __get__ __set__".split(
    " ",
  ),
);

type Function_ = (func: unknown, types: readonly unknown[], args?: unknown[], kwargs?: object) => unknown;

/** A `__torch_function__` that refuses functions which need values. */
function guarded(cls: { readonly name: string }): Function_ {
  return (func, types_, args = [], kwargs = {}) => {
    const { name } = func as { readonly name: string };
    if (!ALLOWED.has(name.replace(/^.*\./, "")))
      throw new ValueError(
        `Attempted to use an uninitialized parameter in <method '${name}' of 'torch._C.TensorBase' objects>. This error happens when you are using a \`LazyModule\` or explicitly manipulating \`torch.nn.parameter.${cls.name}\` objects. When using LazyModules Call \`forward\` with a dummy batch to initialize the parameters before calling torch functions`,
      );
    return Tensor.__torch_function__.call(Tensor, func, types_.length > 0 ? [Tensor] : [], args, kwargs);
  };
}

type Shape = readonly number[];

function materialize(
  t: Tensor,
  cls: { readonly prototype: object },
  shape: Shape,
  device: DeviceLike | null,
  type: dtype | null,
): void {
  const { data } = t;
  t.data = torch.empty([...shape], { device: device ?? data.device, dtype: type ?? data.dtype });
  Object.setPrototypeOf(t, cls.prototype);
}

function no_shape(): RuntimeError {
  return new RuntimeError(
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters before accessing their attributes.",
  );
}

const UninitializedParameter_new = new Init(
  "UninitializedParameter.__new__(cls, requires_grad=True, device=None, dtype=None)",
  types<[requires_grad: boolean, device: DeviceLike | null, dtype: dtype | null]>,
);

/** A parameter without a shape; `materialize` turns the object itself into a `Parameter`. */
export class UninitializedParameter extends Parameter {
  static readonly cls_to_become = Parameter;
  static override __torch_function__ = guarded(UninitializedParameter) as typeof Tensor.__torch_function__;

  static {
    def_methods(UninitializedParameter, { __init__: UninitializedParameter_new });
  }

  constructor(...args: InitArgs<typeof UninitializedParameter_new>) {
    const [requires_grad, device, dtype] = UninitializedParameter_new.bind(args);
    super(torch.empty(0, { device, dtype }), requires_grad);
  }

  materialize(shape: Shape, device: DeviceLike | null = null, dtype: dtype | null = null): void {
    materialize(this, Parameter, shape, device, dtype);
  }

  override get shape(): number[] {
    throw no_shape();
  }

  override __repr__(): string {
    return `<${this.constructor.name}>`;
  }

  override __deepcopy__(memo: Map<unknown, unknown>): this {
    const known = memo.get(this);
    if (known !== undefined) return known as this;
    const { device, dtype } = this.data;
    const result = new UninitializedParameter(this.requires_grad, device, dtype) as this;
    memo.set(this, result);
    return result;
  }
}

const UninitializedBuffer_new = new Init(
  "UninitializedBuffer.__new__(cls, requires_grad=False, device=None, dtype=None, persistent=True)",
  types<[requires_grad: boolean, device: DeviceLike | null, dtype: dtype | null, persistent: boolean]>,
);

/** A buffer without a shape; `materialize` turns the object itself into a plain tensor. */
export class UninitializedBuffer extends Tensor {
  static readonly cls_to_become = Tensor;
  static override __torch_function__ = guarded(UninitializedBuffer) as typeof Tensor.__torch_function__;

  readonly _is_buffer = true;
  persistent: boolean;

  static {
    def_methods(UninitializedBuffer, { __init__: UninitializedBuffer_new });
  }

  constructor(...args: InitArgs<typeof UninitializedBuffer_new>) {
    const [requires_grad, device, dtype, persistent] = UninitializedBuffer_new.bind(args);
    super(kWrap, subclass_data(new.target, torch.empty(0, { device, dtype }), requires_grad));
    this.persistent = persistent;
  }

  materialize(shape: Shape, device: DeviceLike | null = null, dtype: dtype | null = null): void {
    materialize(this, Tensor, shape, device, dtype);
  }

  override get shape(): number[] {
    throw no_shape();
  }

  override __repr__(): string {
    return `<${this.constructor.name}>`;
  }
}

/** Whether `param` has no shape yet. */
export const is_lazy = def(
  "is_lazy(param: object)",
  (param: unknown): boolean => param instanceof UninitializedParameter || param instanceof UninitializedBuffer,
) as unknown as (param: unknown) => param is UninitializedParameter | UninitializedBuffer;
