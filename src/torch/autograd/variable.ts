/**
 * @file `Variable`, the former class of tensors with gradients, and the engine object that the front end calls.
 * @mirrors torch/autograd/variable.py
 */
import { TypeError_, warn } from "#c10/util/Exception";
import { _ImperativeEngine, python_type } from "#torch/_C";
import { Signature } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

/** `Variable._execution_engine`. */
export const _execution_engine = new _ImperativeEngine();

const signature = new Signature("Variable(data=None, requires_grad=False, volatile=None, _grad_fn=None, name=None)");

/** A deprecated name: all tensors are variables, and `new Variable(x)` is `x` without its history, sharing its memory. */
export class Variable {
  static readonly _execution_engine = _execution_engine;

  /** @throws {TypeError} "Variable data has to be a tensor, but got list" */
  constructor(...args: unknown[]) {
    const [data, requires_grad, volatile] = signature.bind(args) as [unknown, boolean, unknown];
    if (data !== null && !(data instanceof Tensor))
      throw new TypeError_(`Variable data has to be a tensor, but got ${python_type(data)}`);
    if (volatile)
      warn("UserWarning", "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.");
    const detached = data === null ? torch.empty(0) : data.detach();
    detached.cdata.set_requires_grad(requires_grad);
    // biome-ignore lint/correctness/noConstructorReturn: the class has no instances of its own
    return detached;
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Tensor;
  }
}
