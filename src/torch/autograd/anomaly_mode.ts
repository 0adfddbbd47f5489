/**
 * @file Anomaly detection: the traceback of the forward call behind a backward error, and a check for NaN gradients.
 * @mirrors torch/autograd/anomaly_mode.py
 */
import { TORCH_WARN } from "#c10/util/Exception";
import { is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled } from "#torch/_C";
import { in_scope, type Scope } from "./grad_mode.ts";

class AnomalyScope implements Scope {
  private readonly prev = is_anomaly_enabled();
  private readonly prev_check_nan = is_anomaly_check_nan_enabled();

  constructor(mode: boolean, check_nan: boolean) {
    set_anomaly_enabled(mode, check_nan);
  }

  [Symbol.dispose](): void {
    set_anomaly_enabled(this.prev, this.prev_check_nan);
  }
}

export interface AnomalyOptions {
  /** Throw when a node returns NaN. */
  readonly check_nan?: boolean;
}

/** Turns detection on inside. Slow: every node keeps its stack. */
export function detect_anomaly(options?: AnomalyOptions): Scope;
export function detect_anomaly<R>(fn: () => R): R;
export function detect_anomaly<R>(options: AnomalyOptions, fn: () => R): R;
export function detect_anomaly<R>(options: AnomalyOptions | (() => R) = {}, fn?: () => R): R | Scope {
  TORCH_WARN(
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
  );
  const body = typeof options === "function" ? options : fn;
  const check_nan = typeof options === "function" ? true : (options.check_nan ?? true);
  return in_scope(new AnomalyScope(true, check_nan), body);
}

/** Turns detection on or off from here on; the scope it returns can put it back. */
export function set_detect_anomaly(mode: boolean, options?: boolean | AnomalyOptions): Scope;
export function set_detect_anomaly<R>(mode: boolean, options: boolean | AnomalyOptions, fn: () => R): R;
export function set_detect_anomaly<R>(
  mode: boolean,
  options: boolean | AnomalyOptions = true,
  fn?: () => R,
): R | Scope {
  const check_nan = typeof options === "boolean" ? options : (options.check_nan ?? true);
  return in_scope(new AnomalyScope(mode, check_nan), fn);
}
