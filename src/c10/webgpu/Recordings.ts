/**
 * @file The server's reports about its work during a recording, and the times of events.
 * @original CUPTI's activity records.
 */
import { traceInstant } from "../util/Trace.ts";
import type { Connection } from "./Connection.ts";
import { Control, PLACE, RecordKind, SUBMIT_REASONS } from "./protocol.ts";

/** The queue to which a trace event belongs. */
export const QUEUE = { device: "webgpu:0", stream: 0 } as const;

/** Number of event times that are kept. */
const MOST_TIMES = 4096;

export class Recordings {
  private readonly control_: Int32Array;
  private readonly records_: Float64Array;
  private read_: number;
  /** Nanoseconds on the device, by event number. */
  private readonly times_ = new Map<number, number>();

  constructor({ memory, control }: Connection) {
    this.control_ = control;
    this.records_ = new Float64Array(memory, PLACE.RECORDS, PLACE.RECORDS_MAX * PLACE.RECORD_NUMBERS);
    this.read_ = Atomics.load(control, Control.RECORDS);
  }

  /** Time at which the event was reached; null if it is unknown or no longer kept. */
  time_of(event: number): number | null {
    this.tell();
    return this.times_.get(event) ?? null;
  }

  /** Passes new records on to the trace. */
  tell(): void {
    const { control_: control, records_: records } = this;
    const end = Atomics.load(control, Control.RECORDS);
    if (end - this.read_ > PLACE.RECORDS_MAX) this.read_ = end - PLACE.RECORDS_MAX; // older records were overwritten
    for (; this.read_ < end; this.read_++) {
      const at = (this.read_ % PLACE.RECORDS_MAX) * PLACE.RECORD_NUMBERS;
      this.pass_on(records[at], records[at + 1], records[at + 2], records[at + 3], records[at + 4]);
    }
  }

  private pass_on(kind: number, a: number, b: number, c: number, d: number): void {
    if (kind === RecordKind.EVENT) this.keep(a, b);
    else if (kind === RecordKind.LAUNCH)
      traceInstant("device", "webgpu::device_time", { ...QUEUE, correlation: a, begin_ns: b, end_ns: c, batch: d });
    else if (kind === RecordKind.SUBMIT) {
      const us_ago = (performance.timeOrigin + performance.now() - d) * 1000;
      traceInstant("device", "webgpu::submit", { ...QUEUE, batch: a, launches: b, reason: SUBMIT_REASONS[c], us_ago });
    }
  }

  private keep(event: number, time: number): void {
    this.times_.set(event, time);
    if (this.times_.size > MOST_TIMES) this.times_.delete(this.times_.keys().next().value as number);
  }
}
