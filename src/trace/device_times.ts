/**
 * @file When a device ran what the caller launched: the two clocks of a recording brought together.
 * @original PyTorch's profiler has these times from CUPTI, on the host's clock already.
 */
import type { TraceEvent } from "./event.ts";

/** A kernel's run on the device, in microseconds of the recording. */
export interface DeviceTime {
  /** The event of its launch. */
  readonly launch: TraceEvent;
  readonly correlation: number;
  readonly stream: number;
  readonly batch: number;
  readonly start: number;
  readonly end: number;
}

const TIME = "webgpu::device_time";

/**
 * The device counts nanoseconds from a moment of its own. No kernel began before it was launched: so the earliest that all can have been
 * is when one of them began just as it was launched, and that is what is shown.
 */
export function device_times(events: readonly TraceEvent[]): DeviceTime[] {
  const launches = new Map<unknown, TraceEvent>();
  for (const event of events)
    if (event.kind === "device" && event["grid"] !== undefined) launches.set(event["correlation"], event);
  const told = events.flatMap((event) => {
    const launch = launches.get(event["correlation"]);
    return event.name === TIME && launch !== undefined ? [{ event, launch }] : [];
  });
  const round = (us: number): number => Math.round(us * 10) / 10;
  const us = (event: TraceEvent, field: string): number => (event[field] as number) / 1000;
  let offset = Number.NEGATIVE_INFINITY;
  for (const { event, launch } of told) offset = Math.max(offset, launch.start - us(event, "begin_ns"));
  return told.map(({ event, launch }) => ({
    launch,
    correlation: event["correlation"] as number,
    stream: event["stream"] as number,
    batch: event["batch"] as number,
    start: round(us(event, "begin_ns") + offset),
    end: round(us(event, "end_ns") + offset),
  }));
}
