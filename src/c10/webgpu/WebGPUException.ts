/**
 * @file What the server found wrong, as the errors of PyTorch.
 * @mirrors c10/cuda/CUDAException.h
 */
import { AcceleratorError, OutOfMemoryError } from "#c10/util/Exception";
import { Failure } from "./protocol.ts";
import { get_webgpu_check_suffix } from "./WebGPUMiscFunctions.ts";

/** What the server said, and the operators that assertions' numbers stand for. */
export interface Told {
  readonly failure: number;
  readonly message: string;
  /** The kernel's name, "" where it is not known. */
  readonly kernel: string;
  readonly operators: readonly string[];
}

function error(code: number, what: string, more = get_webgpu_check_suffix()): AcceleratorError {
  return new AcceleratorError(code, `WebGPU error: ${what}${more}`);
}

function assertion({ message, operators }: Told): AcceleratorError {
  const { assertion, index, limit } = JSON.parse(message) as { assertion: number; index: number; limit: number };
  const operator = operators[assertion] ?? "a kernel";
  const what = `${operator}: index ${index} is out of bounds for dimension with size ${limit}`;
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
