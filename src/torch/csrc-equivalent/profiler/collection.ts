/**
 * @file The events that a profiler collects: operators and nodes from RecordFunction, allocations and front-end calls
 * from the trace hook.
 * @mirrors torch/csrc/profiler/collection.h
 * @differs Memory and Python events come through the trace hook, the one place to which allocations and modules report.
 * The collector does not report a free, so bytes only grow; PyTorch's profiler has hooks for both and sees frees.
 */
import type { IValue } from "#aten/core/ivalue";
import { type RecordFunction, RecordScope } from "#aten/record_function";
import { ScalarType } from "#c10/core/ScalarType";
import { setTracer, type TraceData, type TraceKind, type Tracer, tracer } from "#c10/util/Trace";

export interface ProfilerConfig {
  readonly record_shapes: boolean;
  readonly profile_memory: boolean;
  readonly with_stack: boolean;
  readonly with_modules: boolean;
}

/** An operator, a node or a user scope. Times in microseconds since the profiler was switched on. */
export interface TorchOpEvent {
  readonly kind: "op";
  readonly name: string;
  readonly scope: RecordScope;
  readonly start_us: number;
  end_us: number;
  readonly sequence_number: number;
  readonly forward_thread_id: number;
  readonly inputs: InputRecord | null;
}

export interface AllocationEvent {
  readonly kind: "allocation";
  readonly start_us: number;
  readonly nbytes: number;
  readonly total_allocated: number;
}

export interface PyCallEvent {
  readonly kind: "python";
  readonly name: string;
  readonly parent: number | null;
  readonly start_us: number;
  end_us: number;
}

/** Inputs of an operator, column by column, as the export lists them. */
export interface InputRecord {
  readonly shapes: readonly (readonly number[])[];
  readonly strides: readonly (readonly number[])[];
  readonly dtypes: readonly string[];
  readonly concrete: readonly string[];
}

/** caffe2::TypeMeta's names. */
const typeNames: Readonly<Record<number, string>> = {
  [ScalarType.Byte]: "unsigned char",
  [ScalarType.Char]: "signed char",
  [ScalarType.Short]: "short int",
  [ScalarType.Int]: "int",
  [ScalarType.Long]: "long int",
  [ScalarType.Half]: "c10::Half",
  [ScalarType.Float]: "float",
  [ScalarType.Double]: "double",
  [ScalarType.Bool]: "bool",
  [ScalarType.BFloat16]: "c10::BFloat16",
};

function describeInputs(inputs: readonly IValue[]): InputRecord {
  const shapes: number[][] = [];
  const strides: number[][] = [];
  const dtypes: string[] = [];
  const concrete: string[] = [];
  for (const input of inputs) {
    let shape: number[] = [];
    let stride: number[] = [];
    let dtype = "";
    let text = "";
    if (input.isTensor()) {
      const tensor = input.toTensor();
      if (tensor.defined()) {
        shape = [...tensor.sizes()];
        stride = [...tensor.strides()];
        dtype = typeNames[tensor.scalar_type()] ?? "";
      }
    } else if (input.isTensorList()) {
      dtype = "TensorList";
    } else if (input.isList()) {
      dtype = "ScalarList";
      text = String(input);
    } else if (input.isScalar() || input.isBool()) {
      dtype = "Scalar";
      text = String(input);
    }
    shapes.push(shape);
    strides.push(stride);
    dtypes.push(dtype);
    concrete.push(text);
  }
  return { shapes, strides, dtypes, concrete };
}

export class RecordQueue implements Tracer {
  readonly ops: TorchOpEvent[] = [];
  readonly allocations: AllocationEvent[] = [];
  readonly calls: PyCallEvent[] = [];
  private readonly config: ProfilerConfig;
  private readonly origin = performance.now();
  private total_allocated = 0;
  private readonly open_calls: number[] = [];
  private next_id = 0;
  /** Trace event id -> the Python call it opened. */
  private readonly call_of = new Map<number, number>();
  private outer: Tracer | null = null;
  private outer_ids: number[] = [];

  constructor(config: ProfilerConfig) {
    this.config = config;
  }

  now_us(): number {
    return Math.round((performance.now() - this.origin) * 1e6) / 1e3;
  }

  /** The `start` callback of RecordFunction. */
  begin_op(fn: RecordFunction): TorchOpEvent {
    const backward =
      fn.scope() === RecordScope.BACKWARD_FUNCTION || fn.name().startsWith("autograd::engine::evaluate_function: ");
    const inputs =
      this.config.record_shapes && fn.scope() !== RecordScope.USER_SCOPE && !fn.name().startsWith("autograd::engine::")
        ? describeInputs(fn.inputs())
        : null;
    const event: TorchOpEvent = {
      kind: "op",
      name: fn.name(),
      scope: fn.scope(),
      start_us: this.now_us(),
      end_us: 0,
      sequence_number: fn.seqNr(),
      forward_thread_id: backward ? 1 : 0,
      inputs,
    };
    this.ops.push(event);
    return event;
  }

  end_op(event: TorchOpEvent): void {
    event.end_us = this.now_us();
  }

  /** Begins to receive allocations and front-end calls if they were requested; a recording in progress continues. */
  attach(): void {
    if (!this.config.profile_memory && !this.config.with_stack && !this.config.with_modules) return;
    this.outer = tracer;
    setTracer(this);
  }

  detach(): void {
    if (tracer === this) setTracer(this.outer);
    this.outer = null;
  }

  begin(kind: TraceKind, name: string, data?: TraceData, fn?: string): number {
    const id = this.next_id++;
    if (this.outer !== null) this.outer_ids[id] = this.outer.begin(kind, name, data, fn);
    if (kind === "memory" && this.config.profile_memory && typeof data?.["nbytes"] === "number") {
      this.total_allocated += data["nbytes"];
      this.allocations.push({
        kind: "allocation",
        start_us: this.now_us(),
        nbytes: data["nbytes"],
        total_allocated: this.total_allocated,
      });
    }
    if (
      (kind === "python" && (this.config.with_stack || this.config.with_modules)) ||
      (kind === "binding" && this.config.with_stack)
    ) {
      this.call_of.set(id, this.calls.length);
      this.calls.push({
        kind: "python",
        name,
        parent: this.open_calls.at(-1) ?? null,
        start_us: this.now_us(),
        end_us: 0,
      });
      this.open_calls.push(this.calls.length - 1);
    }
    return id;
  }

  end(id: number, data?: TraceData): void {
    if (this.outer !== null) this.outer.end(this.outer_ids[id], data);
    const call = this.call_of.get(id);
    if (call === undefined) return;
    this.calls[call].end_us = this.now_us();
    this.open_calls.pop();
  }
}
