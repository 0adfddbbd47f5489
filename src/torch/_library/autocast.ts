/**
 * @file The autocast kernel of a custom operator: it casts the inputs, then calls the operator again with autocast disabled.
 * @original PyTorch has this code twice, in torch/library.py and torch/_library/custom_ops.py.
 */
import { AssertionError, ValueError } from "#c10/util/Exception";
import {
  _C,
  _dispatch_key_for_device,
  _dispatch_key_parse,
  _ExcludeDispatchKeyGuard,
  type PythonFunction,
  repr,
} from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { _cast } from "#torch/amp/autocast_mode";
import type { dtype } from "#torch/types";
import { split_args } from "./utils.ts";

/** The dispatch key of autocast on a device. */
export function autocast_key(device_type: string): string {
  return `Autocast${_dispatch_key_for_device(device_type)}`;
}

export function check_autocast_available(device_type: string): void {
  if (!_C._is_autocast_available(device_type))
    throw new ValueError(`Device type '${device_type}' does not support autocast.`);
}

/** @param refusal whether the error about keyword arguments names them */
export function make_autocast_kernel(
  op: () => OpOverload,
  device_type: string,
  cast_inputs: dtype,
  refusal: "names" | "plain",
): PythonFunction {
  check_autocast_available(device_type);
  const key = _dispatch_key_parse(autocast_key(device_type));
  return (_keyset, ...given) => {
    const [args, kwargs] = split_args(given);
    const names = Object.keys(kwargs);
    if (names.length > 0) {
      const text = "Custom ops do not support kwargs yet";
      throw new AssertionError(refusal === "names" ? `${text}, got ${repr(names)}` : `${text}.`);
    }
    const guard = new _ExcludeDispatchKeyGuard(key);
    try {
      return op()(...(_cast(args, device_type, cast_inputs) as unknown[]));
    } finally {
      guard.restore();
    }
  };
}
