/**
 * @file Recordings of a device that the reader may not have: they are made here if there is one; otherwise kept recordings are used. `made` has
 * the recordings of a run on a device, to be kept (test/webgpu/record_walkthrough.ts).
 * @original
 */
import { readFileSync } from "node:fs";
import { Trace, type TraceEvent, type TraceFile } from "glasstorch/trace";
import { webgpu } from "glasstorch/webgpu";
import { device_times } from "#trace/device_times";
import { keep, recorded } from "./claims.ts";

/** The content of `recorded/webgpu.json`. */
export interface Kept {
  /** The adapter's name. */
  readonly adapter: string;
  /** Without places: where a function stands changes with every edit. */
  readonly recordings: Readonly<Record<string, TraceFile>>;
}

/** Whether the walkthrough runs on a device of this machine. */
export const live: boolean = webgpu.is_available();

const kept: Kept = live
  ? { adapter: webgpu.get_device_name(), recordings: {} }
  : (JSON.parse(readFileSync(new URL("../recorded/webgpu.json", import.meta.url), "utf8")) as Kept);

/** The device that is here, or was there. */
export const { adapter } = kept;

export const made: Record<string, Trace> = {};

/** As `recorded`; where there is no device neither `setup` nor `fn` runs, and the recording is the one that was kept. */
export function recorded_on_device<T>(
  name: string,
  title: string,
  fn: (made: T) => unknown,
  more: { setup: () => T; note?: string; quiet?: boolean },
): Trace {
  if (live) {
    const trace = recorded(name, title, fn, more);
    made[name] = trace;
    return trace;
  }
  return keep(name, title, Trace.located(kept.recordings[name] as TraceFile), {
    ...more,
    note: `${more.note === undefined ? "" : `${more.note}; `}recorded on ${adapter}`,
  });
}

/** A launch: the number of workgroups, and the kernel's parameters by their names in `struct Params` of its text. */
export interface Launch {
  readonly name: string;
  readonly grid: readonly number[];
  readonly workgroup_size: readonly number[];
  readonly invocations: number;
  readonly params: Readonly<Record<string, number>>;
  readonly wgsl: string;
}

/** The first launch of a recording. */
export function launch_of(trace: Trace): Launch {
  const event = trace.events.find((each) => each["grid"] !== undefined) as TraceEvent;
  const { name, grid, workgroup_size, invocations, params } = event as unknown as Launch & { params: number[] };
  const wgsl = trace.named("webgpu::kernel")[0]?.["wgsl"] as string;
  const [, fields] = /struct Params \{(.+?)\}/.exec(wgsl) as unknown as [string, string];
  const names = [...fields.matchAll(/(\w+): [uf]32/g)].map(([, field]) => field as string);
  return {
    name,
    grid,
    workgroup_size,
    invocations,
    params: Object.fromEntries(names.map((field, i) => [field, params[i] as number])),
    wgsl,
  };
}

/** Something that took a while, in microseconds of the recording. */
export interface Bar {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Who worked when: the caller's calls, its waits, and the kernels on the device. */
export function timelines_of(trace: Trace): Readonly<Record<"caller" | "waits" | "device", readonly Bar[]>> {
  const bars = (events: readonly TraceEvent[], name: (event: TraceEvent) => string): Bar[] =>
    events.map((event) => ({ name: name(event), start: event.start, end: event.end }));
  const calls = trace.events.filter(({ parent, kind }) => parent === null && kind === "binding");
  const waits = trace.named("c10::webgpu::synchronize").filter((event) => event["who"] !== "record");
  return {
    caller: bars(calls, ({ name }) => name.replace(/.*THPVariable_/, "")),
    waits: bars(waits, (event) => String(event["who"])),
    device: device_times(trace.events).map(({ launch, start, end }) => ({
      name: launch.name.replace(/^webgpu::|<.*/g, ""),
      start,
      end,
    })),
  };
}
