/**
 * @file Errors of the systems that capture programs.
 * @mirrors torch/_dynamo/exc.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { Member } from "#torch/export/records";

export class TorchDynamoException extends RuntimeError {
  static readonly __module__ = "torch._dynamo.exc";
}

export class UserErrorType extends Member {
  static override readonly __module__ = "torch._dynamo.exc";
  static readonly DYNAMIC_CONTROL_FLOW = new UserErrorType("DYNAMIC_CONTROL_FLOW", 1);
  static readonly ANTI_PATTERN = new UserErrorType("ANTI_PATTERN", 2);
  static readonly STANDARD_LIBRARY = new UserErrorType("STANDARD_LIBRARY", 3);
  static readonly CONSTRAINT_VIOLATION = new UserErrorType("CONSTRAINT_VIOLATION", 4);
  static readonly DYNAMIC_DIM = new UserErrorType("DYNAMIC_DIM", 5);
  static readonly INVALID_INPUT = new UserErrorType("INVALID_INPUT", 6);
  static readonly INVALID_OUTPUT = new UserErrorType("INVALID_OUTPUT", 7);
}

const EXPORTDB =
  "For more information about this error, see: https://pytorch.org/docs/main/generated/exportdb/index.html";

/** A program that runs, but cannot be captured in this way. */
export class UserError extends TorchDynamoException {
  readonly error_type: UserErrorType;

  /** @param case_name the example in PyTorch's documentation that explains it */
  constructor(error_type: UserErrorType, msg: string, case_name: string | null = null) {
    super(
      case_name === null ? msg : `${msg}${msg.endsWith(".") ? " " : "\n"}${EXPORTDB}#${case_name.replaceAll("_", "-")}`,
    );
    this.error_type = error_type;
  }
}

/** A part of a program that must be captured as a whole, and cannot be. */
export class Unsupported extends TorchDynamoException {}
export class UncapturedHigherOrderOpError extends TorchDynamoException {}
/** An operator that refuses its arguments while a program is captured. */
export class TorchRuntimeError extends TorchDynamoException {}
/** Branches of `torch.cond` that do not fit together. */
export class CondOpArgsMismatchError extends RuntimeError {
  static readonly __module__ = "torch._dynamo.exc";
}

for (const cls of [
  TorchDynamoException,
  UserError,
  Unsupported,
  UncapturedHigherOrderOpError,
  TorchRuntimeError,
  CondOpArgsMismatchError,
])
  Object.defineProperty(cls.prototype, "name", { value: cls.name, configurable: true, writable: true });
