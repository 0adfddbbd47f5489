/**
 * @file Times at which a device ran the caller's launches, on the host's clock.
 * @original PyTorch's profiler gets these times from CUPTI, already on the host's clock.
 */
import type { TraceEvent } from "./event.ts";

/** The run of a kernel on the device, in microseconds since the recording's begin. */
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
 * The device counts nanoseconds from an unknown moment. No kernel began before its launch, so the earliest consistent
 * offset is the one at which some kernel began exactly at its launch; that offset is used.
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
