/**
 * @file Anomaly detection: the traceback of the forward call behind a backward error, and a check for NaN gradients.
 * @mirrors torch/autograd/anomaly_mode.py
 */
import { TORCH_WARN } from "#c10/util/Exception";
import { is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled } from "#torch/_C";
import { def_context, type Scope } from "#torch/utils/_contextlib";

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

/** Turns detection on inside; with `check_nan` a node that returns NaN throws. Slow: every node keeps its stack. */
export const detect_anomaly = def_context("detect_anomaly.__init__(self, check_nan=True)", (check_nan: boolean) => {
  TORCH_WARN(
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
  );
  return new AnomalyScope(true, check_nan);
});

/** Turns detection on or off from here on; the scope it returns can put it back. */
export const set_detect_anomaly = def_context(
  "set_detect_anomaly.__init__(self, mode, check_nan=True)",
  (mode: boolean, check_nan: boolean) => new AnomalyScope(mode, check_nan),
);
