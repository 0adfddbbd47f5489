/**
 * @file Errors of fake tensors: values and sizes that depend on data, operators without a rule, mixed devices.
 * @mirrors torch/_subclasses/fake_tensor.py#DataDependentOutputException
 */
import { RuntimeError } from "#c10/util/Exception";
import { str } from "#python/Objects/object";
import type { THPDevice } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";

const MODULE = "torch._subclasses.fake_tensor";

/** An error about one operator; its text is the operator. */
abstract class OperatorError extends RuntimeError {
  static readonly __module__: string = MODULE;
  readonly func: OpOverload;

  constructor(func: OpOverload, message = str(func)) {
    super(message);
    this.func = func;
  }
}

/** A size of the result depends on the values of the arguments. */
export class DynamicOutputShapeException extends OperatorError {}

/** The result is a number that depends on the values of the arguments. */
export class DataDependentOutputException extends OperatorError {}

/** There is neither a fake implementation nor a Meta kernel, and no real kernel may run in their place. */
export class UnsupportedOperatorException extends OperatorError {}

/** A tensor of this kind has no fake form. */
export class UnsupportedFakeTensorException extends RuntimeError {
  static readonly __module__ = MODULE;
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** The arguments are on different devices. */
export class FakeTensorDeviceMismatchError extends OperatorError {
  readonly common_device: THPDevice;
  readonly device: THPDevice;

  constructor(func: OpOverload, common_device: THPDevice, device: THPDevice) {
    super(
      func,
      `Expected all tensors to be on the same device, but found at least two devices, ${common_device} and ${device}!`,
    );
    this.common_device = common_device;
    this.device = device;
  }
}

for (const cls of [
  DynamicOutputShapeException,
  DataDependentOutputException,
  UnsupportedOperatorException,
  UnsupportedFakeTensorException,
  FakeTensorDeviceMismatchError,
])
  Object.defineProperty(cls.prototype, "name", { value: cls.name, configurable: true, writable: true });
