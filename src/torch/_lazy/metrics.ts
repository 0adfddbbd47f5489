/**
 * @file `torch._lazy.metrics`: how often something happened.
 * @mirrors torch/_lazy/metrics.py
 */
import { def } from "#torch/_signature";
import { _lazy } from "./_C_lazy.ts";

/** Sets all counters to 0 and forgets all samples. */
export const reset = def("reset()", () => _lazy._reset_metrics());

/** Names of the counters that are not 0. */
export const counter_names = def("counter_names()", () => _lazy._counter_names());

/** The counter's value; None for a name that was never counted. */
export const counter_value = def("counter_value(name)", (name: string) => _lazy._counter_value(name));

/** All counters and metrics as text. */
export const metrics_report = def("metrics_report()", () => _lazy._metrics_report());
