/**
 * @file What the server tells of its work while a recording is under way, and the times of events.
 * @original CUPTI's activity records.
 */
import { traceInstant, tracer } from "../util/Trace.ts";
import type { Connection } from "./Connection.ts";
import { Control, PLACE, RecordKind, SUBMIT_REASONS } from "./protocol.ts";

/** Events' times that are kept. */
const MOST_TIMES = 4096;

export class Recordings {
  private readonly control_: Int32Array;
  private readonly records_: Float64Array;
  private read_: number;
  /** Nanoseconds on the device, by the event's number. */
  private readonly times_ = new Map<number, number>();

  constructor({ memory, control }: Connection) {
    this.control_ = control;
    this.records_ = new Float64Array(memory, PLACE.RECORDS, PLACE.RECORDS_MAX * PLACE.RECORD_NUMBERS);
    this.read_ = Atomics.load(control, Control.RECORDS);
  }

  /** When the event was reached, if it is known (still). */
  time_of(event: number): number | null {
    this.tell();
    return this.times_.get(event) ?? null;
  }

  /** Somebody waited. */
  tell_wait(who: string, ms: number): void {
    traceInstant("device", "c10::webgpu::synchronize", {
      device: "webgpu:0",
      stream: 0,
      who,
      us: Math.round(ms * 1e4) / 10,
    });
    this.tell();
  }

  /** Passes on what is new. */
  tell(): void {
    const { control_: control, records_: records } = this;
    control[Control.TRACE] = tracer === null ? 0 : 1;
    const end = Atomics.load(control, Control.RECORDS);
    if (end - this.read_ > PLACE.RECORDS_MAX) this.read_ = end - PLACE.RECORDS_MAX; // overwritten
    for (; this.read_ < end; this.read_++) {
      const at = (this.read_ % PLACE.RECORDS_MAX) * PLACE.RECORD_NUMBERS;
      this.pass_on(records[at], records[at + 1], records[at + 2], records[at + 3], records[at + 4]);
    }
  }

  private pass_on(kind: number, a: number, b: number, c: number, d: number): void {
    if (kind === RecordKind.EVENT) this.keep(a, b);
    else if (kind === RecordKind.LAUNCH)
      traceInstant("device", "webgpu::device_time", {
        device: "webgpu:0",
        stream: 0,
        correlation: a,
        begin_ns: b,
        end_ns: c,
        batch: d,
      });
    else if (kind === RecordKind.SUBMIT)
      traceInstant("device", "GPUQueue::submit", {
        device: "webgpu:0",
        batch: a,
        launches: b,
        reason: SUBMIT_REASONS[c],
        time_ms: d,
      });
  }

  private keep(event: number, time: number): void {
    this.times_.set(event, time);
    if (this.times_.size > MOST_TIMES) this.times_.delete(this.times_.keys().next().value as number);
  }
}
