/**
 * @file Anomaly detection: a backward error shows the traceback of the forward call, and gradients are checked for NaN.
 * @mirrors torch/autograd/anomaly_mode.py
 */
import { TORCH_WARN } from "#c10/util/Exception";
import {
  AbstractContextManager,
  is_anomaly_check_nan_enabled,
  is_anomaly_enabled,
  set_anomaly_enabled,
} from "#torch/_C";
import { def_context } from "#torch/utils/_contextlib";

/**
 * Enables detection inside the context; with `check_nan`, a node that returns NaN raises. It is slow, because every node stores its stack.
 */
export const detect_anomaly = def_context(
  "detect_anomaly.__init__(self, check_nan=True)",
  class detect_anomaly extends AbstractContextManager {
    private readonly prev = is_anomaly_enabled();
    private readonly prev_check_nan = is_anomaly_check_nan_enabled();
    private readonly check_nan: boolean;

    constructor(check_nan: boolean) {
      super();
      this.check_nan = check_nan;
      TORCH_WARN(
        "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
      );
    }

    override __enter__(): void {
      set_anomaly_enabled(true, this.check_nan);
    }

    override __exit__(): void {
      set_anomaly_enabled(this.prev, this.prev_check_nan);
    }
  },
);

/** Enables or disables detection immediately; used as a context, it restores the former state at its end. */
export const set_detect_anomaly = def_context(
  "set_detect_anomaly.__init__(self, mode, check_nan=True)",
  class set_detect_anomaly extends AbstractContextManager {
    private readonly prev = is_anomaly_enabled();
    private readonly prev_check_nan = is_anomaly_check_nan_enabled();

    constructor(mode: boolean, check_nan: boolean) {
      super();
      set_anomaly_enabled(mode, check_nan);
    }

    override __enter__(): void {}

    override __exit__(): void {
      set_anomaly_enabled(this.prev, this.prev_check_nan);
    }
  },
);
