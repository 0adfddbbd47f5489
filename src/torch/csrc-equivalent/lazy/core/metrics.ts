/**
 * @file Counters and metrics: how often something happened, and how long it took.
 * @mirrors torch/csrc/lazy/core/metrics.h
 */
import { FLAGS } from "./config.ts";

export interface Sample {
  readonly timestamp_ns: number;
  readonly value: number;
}

export type MetricReprFn = (value: number) => string;

/** Time-stamped numbers. The last ones are kept, all are added up. */
export class MetricData {
  readonly repr_fn_: MetricReprFn;
  private readonly samples_: Sample[] = [];
  private accumulator_ = 0;
  private count_ = 0;

  constructor(repr_fn: MetricReprFn) {
    this.repr_fn_ = repr_fn;
  }

  Accumulator(): number {
    return this.accumulator_;
  }

  TotalSamples(): number {
    return this.count_;
  }

  AddSample(timestamp_ns: number, value: number): void {
    if (this.samples_.length >= FLAGS.torch_lazy_metrics_samples) this.samples_.shift();
    this.samples_.push({ timestamp_ns, value });
    this.accumulator_ += value;
    this.count_++;
  }

  /** The oldest first. */
  Samples(): readonly Sample[] {
    return this.samples_;
  }

  Reset(): void {
    this.samples_.length = 0;
    this.accumulator_ = 0;
    this.count_ = 0;
  }

  IsValid(): boolean {
    return this.count_ > 0;
  }
}

export class CounterData {
  private value_ = 0;

  AddValue(value: number): void {
    this.value_ += value;
  }

  Value(): number {
    return this.value_;
  }

  Reset(): void {
    this.value_ = 0;
  }

  IsValid(): boolean {
    return this.value_ > 0;
  }
}

function sorted_names(table: ReadonlyMap<string, { IsValid(): boolean }>): string[] {
  return [...table].flatMap(([name, data]) => (data.IsValid() ? [name] : [])).sort();
}

export class MetricsArena {
  private static readonly instance = new MetricsArena();
  private readonly metrics_ = new Map<string, MetricData>();
  private readonly counters_ = new Map<string, CounterData>();

  static Get(): MetricsArena {
    return MetricsArena.instance;
  }

  ResetCounters(): void {
    for (const counter of this.counters_.values()) counter.Reset();
  }

  ResetMetrics(): void {
    for (const metric of this.metrics_.values()) metric.Reset();
  }

  RegisterMetric(name: string, repr_fn: MetricReprFn): MetricData {
    let data = this.metrics_.get(name);
    if (data === undefined) this.metrics_.set(name, (data = new MetricData(repr_fn)));
    return data;
  }

  RegisterCounter(name: string): CounterData {
    let data = this.counters_.get(name);
    if (data === undefined) this.counters_.set(name, (data = new CounterData()));
    return data;
  }

  /** Names of the metrics that have samples, sorted. */
  GetMetricNames(): string[] {
    return sorted_names(this.metrics_);
  }

  GetMetric(name: string): MetricData | null {
    return this.metrics_.get(name) ?? null;
  }

  /** Names of the counters that are not 0, sorted. */
  GetCounterNames(): string[] {
    return sorted_names(this.counters_);
  }

  GetCounter(name: string): CounterData | null {
    return this.counters_.get(name) ?? null;
  }
}

export function MetricFnValue(value: number): string {
  return value.toFixed(2);
}

const padded = (value: number, digits: number): string => String(Math.trunc(value)).padStart(digits, "0");

/** Units of time from the longest; a time is written in at most three of them. */
const UNITS: readonly (readonly [string, number, number])[] = [
  ["d", 86_400e9, 2],
  ["h", 3_600e9, 2],
  ["m", 60e9, 2],
  ["s", 1e9, 2],
  ["ms", 1e6, 3],
  ["us", 1e3, 3],
];

/** A time in nanoseconds: `007.379us`, `02s679ms749.434us`. */
export function MetricFnTime(value: number): string {
  let text = "";
  let rest = value;
  for (const [unit, nanoseconds, digits] of UNITS) {
    const is_last = unit === "us";
    const count = rest / nanoseconds;
    if (is_last) return `${text}${padded(count, digits)}.${padded((count % 1) * 1000, 3)}us`;
    if (text === "" && count < 1) continue;
    text += `${padded(count, digits)}${unit}`;
    rest %= nanoseconds;
  }
  return text;
}

/** Adds to a counter, which is made at the first use. */
export function TORCH_LAZY_COUNTER(name: string, value = 1): void {
  MetricsArena.Get().RegisterCounter(name).AddValue(value);
}

export { TORCH_LAZY_COUNTER as TORCH_LAZY_FN_COUNTER };

export function TORCH_LAZY_VALUE_METRIC(name: string, value: number): void {
  MetricsArena.Get().RegisterMetric(name, MetricFnValue).AddSample(NowNs(), value);
}

export function NowNs(): number {
  return performance.now() * 1e6;
}

/** Runs `fn` and adds the time it took to a metric. */
export function TORCH_LAZY_TIMED<R>(name: string, fn: () => R): R {
  const metric = MetricsArena.Get().RegisterMetric(name, MetricFnTime);
  const start = NowNs();
  try {
    return fn();
  } finally {
    const now = NowNs();
    metric.AddSample(now, now - start);
  }
}

const PERCENTILES = [0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99];

function metric_lines(name: string, data: MetricData): string[] {
  const samples = data.Samples();
  const values = samples.map(({ value }) => value).sort((a, b) => a - b);
  const seconds = (samples[samples.length - 1].timestamp_ns - samples[0].timestamp_ns) * 1e-9;
  const sum = values.reduce((total, value) => total + value, 0);
  const percentiles = PERCENTILES.map((p) => {
    const value = values[Math.floor(p * values.length)];
    return `${Math.round(p * 100)}%=${data.repr_fn_(value)}`;
  });
  return [
    `Metric: ${name}`,
    `  TotalSamples: ${data.TotalSamples()}`,
    `  Accumulator: ${data.repr_fn_(data.Accumulator())}`,
    ...(seconds > 0 && data.repr_fn_ === MetricFnTime
      ? [
          `  ValueRate: ${data.repr_fn_(sum / seconds)} / second`,
          `  Rate: ${Number((samples.length / seconds).toPrecision(6))} / second`,
        ]
      : []),
    `  Percentiles: ${percentiles.join("; ")}`,
  ];
}

/** All metrics and counters, a line for each fact. */
export function CreateMetricReport(): string {
  const arena = MetricsArena.Get();
  const metrics = arena.GetMetricNames().flatMap((name) => metric_lines(name, arena.GetMetric(name) as MetricData));
  const counters = arena
    .GetCounterNames()
    .flatMap((name) => [`Counter: ${name}`, `  Value: ${arena.GetCounter(name)?.Value()}`]);
  return [...metrics, ...counters].map((line) => `${line}\n`).join("");
}
