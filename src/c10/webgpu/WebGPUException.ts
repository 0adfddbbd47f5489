/**
 * @file What the server found wrong, as the errors of PyTorch.
 * @mirrors c10/cuda/CUDAException.h
 */
import { AcceleratorError, OutOfMemoryError } from "#c10/util/Exception";
import { Failure } from "./protocol.ts";
import { get_webgpu_check_suffix } from "./WebGPUMiscFunctions.ts";

/** What a kernel may find false. */
export interface Assertion {
  /** The operator or the kernel. */
  readonly of: string;
  /** The condition's text; "" where an index must be within bounds. */
  readonly condition: string;
}

/** What the server said, and what assertions' numbers stand for. */
export interface Told {
  readonly failure: number;
  readonly message: string;
  /** The kernel's name, "" where it is not known. */
  readonly kernel: string;
  readonly assertions: readonly Assertion[];
}

function error(code: number, what: string, more = get_webgpu_check_suffix()): AcceleratorError {
  return new AcceleratorError(code, `WebGPU error: ${what}${more}`);
}

/** CUDA prints the line of an assertion itself, for every thread that fails, and throws an error without it. */
function assertion({ message, assertions }: Told): AcceleratorError {
  const { assertion, index, limit } = JSON.parse(message) as { assertion: number; index: number; limit: number };
  const { of, condition } = assertions[assertion] ?? { of: "a kernel", condition: "" };
  const what =
    condition === ""
      ? `${of}: index ${index} is out of bounds for dimension with size ${limit}`
      : `${of}: block: [${index},0,0], thread: [${limit},0,0] Assertion \`${condition}\` failed.`;
  return error(Failure.ASSERTION, `device-side assert triggered\n${what}`);
}

/** `C10_WEBGPU_CHECK`: the error to throw. */
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
