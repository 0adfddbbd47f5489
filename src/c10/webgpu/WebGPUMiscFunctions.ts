/**
 * @file The advice that is added to every error of the device.
 * @mirrors c10/cuda/CUDAMiscFunctions.h
 */

/** Whether the caller waits for each launch, as `WEBGPU_LAUNCH_BLOCKING=1` requests. */
export function launch_blocking(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.["WEBGPU_LAUNCH_BLOCKING"] === "1";
}

/** Advice for the reader of an error message; empty if launches already block. */
export function get_webgpu_check_suffix(): string {
  if (launch_blocking()) return "";
  return (
    "\nThe device works on its own and tells of errors late: any launch since the last synchronization may be the one, and the stack below need not show it." +
    "\nTo have it thrown by the launch itself, run with WEBGPU_LAUNCH_BLOCKING=1."
  );
}
