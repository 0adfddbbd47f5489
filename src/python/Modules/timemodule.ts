/**
 * @file The `time` module.
 * @mirrors Modules/timemodule.c (CPython 3.11)
 */
import { TypeError_, ValueError } from "../Objects/exceptions.ts";
import { float_value } from "../Objects/floatobject.ts";
import { int_value } from "../Objects/longobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { struct_sequence } from "../Objects/structseq.ts";
import { PyTuple } from "../Objects/tupleobject.ts";
import { type_of } from "../Objects/typeobject.ts";
import { real, ssize } from "./arguments.ts";
import { host } from "./host.ts";

const FIELDS = ["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const two = (n: number, fill = "0"): string => String(n).padStart(2, fill);

/** Year, month, day, hour, minute, second, weekday, day of the year, daylight saving time. */
type Parts = readonly number[];

function parts_of(date: Date, utc: boolean): Parts {
  // A local time is read as a UTC time that the offset moves.
  const offset = utc ? 0 : date.getTimezoneOffset();
  const it = new Date(date.getTime() - offset * 60_000);
  const year = it.getUTCFullYear();
  const day = Math.floor((it.getTime() - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
  const standard = Math.max(new Date(year, 0, 1).getTimezoneOffset(), new Date(year, 6, 1).getTimezoneOffset());
  return [
    year,
    it.getUTCMonth() + 1,
    it.getUTCDate(),
    it.getUTCHours(),
    it.getUTCMinutes(),
    it.getUTCSeconds(),
    (it.getUTCDay() + 6) % 7,
    day,
    utc || offset === standard ? 0 : 1,
  ];
}

/** `format` as `strftime` reads it. */
function strftime(format: string, parts: Parts): string {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, weekday = 0, yearday = 0] = parts;
  const name = (names: readonly string[], i: number, length?: number): string => names[i]?.slice(0, length) ?? "?";
  const directives: Readonly<Record<string, () => string>> = {
    a: () => name(DAYS, weekday, 3),
    A: () => name(DAYS, weekday),
    b: () => name(MONTHS, month - 1, 3),
    B: () => name(MONTHS, month - 1),
    c: () => strftime("%a %b %e %H:%M:%S %Y", parts),
    d: () => two(day),
    D: () => strftime("%m/%d/%y", parts),
    e: () => two(day, " "),
    F: () => strftime("%Y-%m-%d", parts),
    H: () => two(hour),
    I: () => two(hour % 12 || 12),
    j: () => String(yearday).padStart(3, "0"),
    m: () => two(month),
    M: () => two(minute),
    n: () => "\n",
    p: () => (hour < 12 ? "AM" : "PM"),
    S: () => two(second),
    t: () => "\t",
    T: () => strftime("%H:%M:%S", parts),
    u: () => String(weekday + 1),
    w: () => String((weekday + 1) % 7),
    x: () => strftime("%m/%d/%y", parts),
    X: () => strftime("%H:%M:%S", parts),
    y: () => two(year % 100),
    Y: () => String(year),
    Z: () => "UTC",
    z: () => "+0000",
    "%": () => "%",
  };
  return format.replace(/%(.)/gs, (whole, letter: string) => directives[letter]?.() ?? whole);
}

function numbers_of(value: unknown): Parts {
  if (!(value instanceof PyTuple)) throw new TypeError_("Tuple or struct_time argument required");
  if (value.length !== 9) throw new TypeError_("time tuple must have exactly 9 elements");
  return value.map((it) => ssize(it));
}

const seconds = (value: unknown): Date => {
  const at = value === null ? Date.now() : Math.floor(real(value)) * 1000;
  return new Date(at);
};

/** Waits without giving the thread away, because the program is not asynchronous. */
function sleep(value: unknown): void {
  const duration = real(value);
  if (duration < 0) throw new ValueError("sleep length must be non-negative");
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration * 1000);
  } catch {
    // A page's main thread must not wait like this.
    const end = performance.now() + duration * 1000;
    while (performance.now() < end);
  }
}

export function time(): Map<string, unknown> {
  const { type, make } = struct_sequence("struct_time", "time", FIELDS);
  const clock = (): number => performance.now() / 1000;
  const nanoseconds = (): number | bigint => int_value(BigInt(Math.round(performance.now() * 1e6)));
  const text = (format: unknown, value: unknown): string => {
    if (typeof format !== "string")
      throw new TypeError_(`strftime() argument 1 must be str, not ${type_of(format).tp_name}`);
    return strftime(format, value === undefined ? parts_of(new Date(), false) : numbers_of(value));
  };
  const namespace = functions("time", {
    "time()": () => float_value(Date.now() / 1000),
    "time_ns()": () => int_value(BigInt(Date.now()) * 1_000_000n),
    "perf_counter()": () => float_value(clock()),
    "perf_counter_ns()": () => nanoseconds(),
    "monotonic()": () => float_value(clock()),
    "monotonic_ns()": () => nanoseconds(),
    "process_time()": () => float_value(host.cpu_time() / 1e6),
    "process_time_ns()": () => int_value(BigInt(Math.round(host.cpu_time())) * 1000n),
    "thread_time()": () => float_value(host.cpu_time() / 1e6),
    "thread_time_ns()": () => int_value(BigInt(Math.round(host.cpu_time())) * 1000n),
    "sleep(seconds, /)": sleep,
    "gmtime(seconds=None, /)": (at) => make(parts_of(seconds(at), true)),
    "localtime(seconds=None, /)": (at) => make(parts_of(seconds(at), false)),
    "mktime(tuple, /)": (value) => {
      const [year = 0, month = 1, ...rest] = numbers_of(value);
      const [day = 1, hour = 0, minute = 0, second = 0] = rest;
      return float_value(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
    },
    "strftime(format, tuple=<unset>, /)": text,
    "asctime(tuple=<unset>, /)": (value) => text("%a %b %e %H:%M:%S %Y", value),
    "ctime(seconds=None, /)": (at) => strftime("%a %b %e %H:%M:%S %Y", parts_of(seconds(at), false)),
  });
  namespace.set("struct_time", type.cls);
  namespace.set("timezone", new Date(2000, 0, 1).getTimezoneOffset() * 60);
  return namespace;
}
