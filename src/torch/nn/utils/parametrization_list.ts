/**
 * @file The parts of a parametrized tensor: the tensors that are trained, and the modules that compute its value from them.
 * @mirrors torch/nn/utils/parametrize.py#ParametrizationList
 */
import { NotImplementedError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { PySequence_Tuple, python_type } from "#torch/_C";
import { size_repr } from "#torch/_prims_common/index";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { ModuleList } from "#torch/nn/modules/container/index";
import { attribute, hasattr } from "#torch/nn/modules/module/attributes";
import type { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";

/** A parametrization with an inverse, which computes the original tensors for a given value. */
export interface Invertible extends Module {
  right_inverse(value: unknown): unknown;
}

export function has_right_inverse(module: Module): module is Invertible {
  return typeof (module as { right_inverse?: unknown }).right_inverse === "function";
}

export function _register_parameter_or_buffer(module: Module, name: string, X: Tensor): void {
  if (X instanceof Parameter) module.register_parameter(name, X);
  else module.register_buffer(name, X);
}

/** Gives `dest` the memory, the shape and the strides of `src`. */
export function _maybe_set(dest: Tensor, src: Tensor): void {
  dest.set_(src);
}

const ParametrizationList_init = new Init(
  "ParametrizationList.__init__(self, modules, original, unsafe=False)",
  types<[modules: Iterable<Module>, original: Tensor, unsafe: boolean]>,
);

/** The parametrizations in order; the first one receives `original`, or `original0`, `original1` and so on. */
export class ParametrizationList extends ModuleList {
  static override readonly __module__: string = "torch.nn.utils.parametrize";

  declare original: Tensor;
  unsafe: boolean;
  /** Whether there is a single original tensor. */
  is_tensor: boolean;
  ntensors: number;

  static {
    def_methods(ParametrizationList, {
      __init__: ParametrizationList_init,
      right_inverse: "(self, value)",
      forward: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof ParametrizationList_init>) {
    const [modules, original, unsafe] = ParametrizationList_init.bind(args);
    const list = PySequence_Tuple(modules);
    if (list.length === 0) throw new ValueError("ParametrizationList requires one or more modules.");
    super(list);
    this.unsafe = unsafe;
    const { shape: original_shape, dtype: original_dtype } = original;
    const inverted = torch.no_grad(() => inverse_of(list, original));
    if (!(inverted instanceof Tensor) && !Array.isArray(inverted))
      throw new ValueError(
        `'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got ${python_type(inverted)}`,
      );
    this.is_tensor = inverted instanceof Tensor;
    this.ntensors = inverted instanceof Tensor ? 1 : inverted.length;
    if (inverted instanceof Tensor) this.register_original(original, inverted);
    else for (const [i, tensor] of inverted.entries()) this.register_original_i(original, i, tensor);
    if (!unsafe) check_result(this(), original_shape, original_dtype);
  }

  private register_original(original: Tensor, inverted: Tensor): void {
    if (original.dtype !== inverted.dtype)
      throw new ValueError(
        `When \`right_inverse\` outputs one tensor, it may not change the dtype.\noriginal.dtype: ${original.dtype}\nright_inverse(original).dtype: ${inverted.dtype}`,
      );
    if (String(original.device) !== String(inverted.device))
      throw new ValueError(
        `When \`right_inverse\` outputs one tensor, it may not change the device.\noriginal.device: ${original.device}\nright_inverse(original).device: ${inverted.device}`,
      );
    // The object stays the same, so that an optimizer that holds it continues to train it.
    torch.no_grad(() => _maybe_set(original, inverted));
    _register_parameter_or_buffer(this, "original", original);
  }

  private register_original_i(original: Tensor, i: number, tensor: unknown): void {
    if (!(tensor instanceof Tensor))
      throw new ValueError(
        `'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element ${i} of the sequence with type ${python_type(tensor)}.`,
      );
    const { requires_grad } = original;
    const original_i = original instanceof Parameter ? new Parameter(tensor, requires_grad) : tensor;
    original_i.requires_grad_(requires_grad);
    _register_parameter_or_buffer(this, `original${i}`, original_i);
  }

  /** Sets the originals so that the parametrizations compute `value`, as far as their `right_inverse` methods allow. */
  right_inverse(value: unknown): void {
    torch.no_grad(() => {
      let inverted = value;
      for (const module of [...this].reverse()) {
        if (!has_right_inverse(module))
          throw new RuntimeError(`parametrization ${module._get_name()} does not implement right_inverse.`);
        inverted = module.right_inverse(inverted);
      }
      if (this.is_tensor) this.set_original(inverted);
      else this.set_originals(inverted);
    });
  }

  private set_original(value: unknown): void {
    if (!(value instanceof Tensor))
      throw new ValueError(`\`right_inverse\` should return a tensor. Got ${python_type(value)}`);
    if (value.dtype !== this.original.dtype)
      throw new ValueError(
        `The tensor returned by \`right_inverse\` has dtype ${value.dtype} while \`original\` has dtype ${this.original.dtype}`,
      );
    _maybe_set(this.original, value);
  }

  private set_originals(value: unknown): void {
    if (!Array.isArray(value))
      throw new ValueError(`'right_inverse' must return a sequence of tensors. Got ${python_type(value)}.`);
    if (value.length !== this.ntensors)
      throw new ValueError(
        `'right_inverse' must return a sequence of tensors of length ${this.ntensors}. Got a sequence of length ${value.length}.`,
      );
    for (const [i, tensor] of value.entries()) {
      const original_i = attribute(this, `original${i}`) as Tensor;
      if (!(tensor instanceof Tensor))
        throw new ValueError(
          `'right_inverse' must return a sequence of tensors or reference-type opaques. Got element ${i} of type ${python_type(tensor)}.`,
        );
      if (original_i.dtype !== tensor.dtype)
        throw new ValueError(
          `Tensor ${i} returned by \`right_inverse\` has dtype ${tensor.dtype} while \`original${i}\` has dtype ${original_i.dtype}`,
        );
      _maybe_set(original_i, tensor);
    }
  }

  override forward(): Tensor {
    const [first, ...others] = this;
    const names = this.is_tensor ? ["original"] : Array.from({ length: this.ntensors }, (_, i) => `original${i}`);
    let x = first(...names.map((name) => attribute(this, name)));
    for (const module of others) x = module(x);
    return x;
  }
}

/** The original that the parametrizations map to `original`; a parametrization without an inverse passes its input on. */
function inverse_of(modules: readonly Module[], original: Tensor): unknown {
  let inverted: unknown = original;
  for (const module of modules.toReversed()) {
    if (typeof module !== "function") throw new TypeError_(`'${python_type(module)}' object is not callable`);
    if (!hasattr(module, "right_inverse")) continue;
    try {
      inverted = (module as Invertible).right_inverse(inverted);
    } catch (error) {
      if (!(error instanceof NotImplementedError)) throw error;
    }
  }
  return inverted;
}

function check_result(Z: unknown, shape: readonly number[], dtype: unknown): void {
  if (!(Z instanceof Tensor)) throw new ValueError(`A parametrization must return a tensor. Got ${python_type(Z)}.`);
  if (Z.dtype !== dtype)
    throw new ValueError(
      `Registering a parametrization may not change the dtype of the tensor, unless \`unsafe\` flag is enabled.\nunparametrized dtype: ${dtype}\nparametrized dtype: ${Z.dtype}`,
    );
  if (String(Z.shape) !== String(shape))
    throw new ValueError(
      `Registering a parametrization may not change the shape of the tensor, unless \`unsafe\` flag is enabled.\nunparametrized shape: ${size_repr(shape)}\nparametrized shape: ${size_repr(Z.shape)}`,
    );
}
