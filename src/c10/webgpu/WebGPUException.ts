/**
 * @file Conversion of the server's failures to PyTorch's errors.
 * @mirrors c10/cuda/CUDAException.h
 */
import { AcceleratorError, OutOfMemoryError } from "#c10/util/Exception";
import { Failure } from "./protocol.ts";
import { get_webgpu_check_suffix } from "./WebGPUMiscFunctions.ts";

/** A condition that a kernel may find false. */
export interface Assertion {
  /** Name of the operator or kernel. */
  readonly of: string;
  /** Text of the condition; "" for the condition that an index is within bounds. */
  readonly condition: string;
}

/** The server's failure message, and the list of assertions to which its numbers refer. */
export interface Told {
  readonly failure: number;
  readonly message: string;
  /** The kernel's name; "" if unknown. */
  readonly kernel: string;
  readonly assertions: readonly Assertion[];
}

function error(code: number, what: string, more = get_webgpu_check_suffix()): AcceleratorError {
  return new AcceleratorError(code, `WebGPU error: ${what}${more}`);
}

/**
 * Error of a failed assertion. CUDA prints the assertion's line itself, for every failing thread, and throws an error without it.
 */
function assertion({ message, assertions }: Told): AcceleratorError {
  const { assertion, index, limit } = JSON.parse(message) as { assertion: number; index: number; limit: number };
  const { of, condition } = assertions[assertion] ?? { of: "a kernel", condition: "" };
  const what =
    condition === ""
      ? `${of}: index ${index} is out of bounds for dimension with size ${limit}`
      : `${of}: block: [${index},0,0], thread: [${limit},0,0] Assertion \`${condition}\` failed.`;
  return error(Failure.ASSERTION, `device-side assert triggered\n${what}`);
}

/** `C10_WEBGPU_CHECK`: converts a failure to the error to throw. */
export function error_of(told: Told): AcceleratorError | OutOfMemoryError {
  const { failure, message, kernel } = told;
  switch (failure) {
    case Failure.ASSERTION:
      return assertion(told);
    case Failure.OUT_OF_MEMORY:
      return new OutOfMemoryError(`WebGPU out of memory. ${message}`);
    case Failure.LOST:
      return error(failure, `device lost (${message})`, "");
    case Failure.SERVER:
      return error(failure, message, "");
    default:
      return error(failure, kernel === "" ? message : `${message}\nin kernel ${kernel}`);
  }
}
