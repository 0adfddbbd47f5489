/**
 * @file Callbacks around every operator call, node and user scope: a profiler uses them.
 * @mirrors aten/src/ATen/record_function.h
 * @differs There is one thread, so thread-local and global callbacks differ only in their order and their handles;
 * PyTorch's differ by thread.
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { setHasCallbacks } from "#c10/util/Trace";
import type { FunctionSchema } from "./core/function_schema.ts";
import type { IValue } from "./core/ivalue.ts";

export const RecordScope = {
  FUNCTION: 0, // an operator
  BACKWARD_FUNCTION: 1, // a node
  TORCHSCRIPT_FUNCTION: 2,
  KERNEL_FUNCTION_DTYPE: 3,
  CUSTOM_CLASS: 4,
  BUILD_FEATURE: 5,
  LITE_INTERPRETER: 6,
  USER_SCOPE: 7, // torch.profiler.record_function
  STATIC_RUNTIME_OP: 8,
  STATIC_RUNTIME_MODEL: 9,
  NUM_SCOPES: 10,
} as const;
export type RecordScope = (typeof RecordScope)[keyof typeof RecordScope];

/** The value that `start` returns and `end` receives. */
export type ObserverContext = unknown;
export type StartCallback = (fn: RecordFunction) => ObserverContext;
export type EndCallback = (fn: RecordFunction, context: ObserverContext) => void;
export type CallbackHandle = number;

export class RecordFunctionCallback {
  readonly start: StartCallback;
  readonly end: EndCallback | null;
  private needsInputs_ = false;
  private needsOutputs_ = false;
  private needsIds_ = false;
  private sampling_prob_ = 1;
  private scopes_: ReadonlySet<RecordScope> | null = null;

  constructor(start: StartCallback, end: EndCallback | null = null) {
    this.start = start;
    this.end = end;
  }

  needsInputs(needs = true): this {
    this.needsInputs_ = needs;
    return this;
  }
  needsOutputs(needs = true): this {
    this.needsOutputs_ = needs;
    return this;
  }
  needsIds(needs = true): this {
    this.needsIds_ = needs;
    return this;
  }
  samplingProb(probability: number): this {
    TORCH_CHECK(probability >= 0 && probability <= 1, "Invalid sampling probability");
    this.sampling_prob_ = probability;
    return this;
  }
  /** Restricts the callback to these scopes; without this call, all. */
  scopes(scopes: readonly RecordScope[]): this {
    this.scopes_ = new Set(scopes);
    return this;
  }

  wantsInputs(): boolean {
    return this.needsInputs_;
  }
  wantsOutputs(): boolean {
    return this.needsOutputs_;
  }
  wantsIds(): boolean {
    return this.needsIds_;
  }
  checkScope(scope: RecordScope): boolean {
    return this.scopes_ === null || this.scopes_.has(scope);
  }
  /** Whether this run is one of the sampled ones. */
  sampled(): boolean {
    return this.sampling_prob_ === 1 || Math.random() < this.sampling_prob_;
  }
}

interface Registered {
  readonly callback: RecordFunctionCallback;
  readonly handle: CallbackHandle;
  enabled: boolean;
}

let next_handle = 1;
const thread_local_callbacks: Registered[] = [];
const global_callbacks: Registered[] = [];
let record_function_enabled = true;

/**
 * Whether any callback must be called. Invariant: true exactly if RecordFunction is enabled and some enabled callback
 * exists. The dispatcher tests it once per call and nothing else.
 */
export let hasStepCallbacks = false;

function refresh(): void {
  hasStepCallbacks = record_function_enabled && hasCallbacks();
  setHasCallbacks(hasStepCallbacks);
}

export function hasCallbacks(): boolean {
  return hasThreadLocalCallbacks() || hasGlobalCallbacks();
}
export function hasGlobalCallbacks(): boolean {
  return global_callbacks.some((r) => r.enabled);
}
export function hasThreadLocalCallbacks(): boolean {
  return thread_local_callbacks.some((r) => r.enabled);
}

function add(list: Registered[], callback: RecordFunctionCallback): CallbackHandle {
  const handle = next_handle++;
  list.push({ callback, handle, enabled: true });
  refresh();
  return handle;
}

export function addThreadLocalCallback(callback: RecordFunctionCallback): CallbackHandle {
  return add(thread_local_callbacks, callback);
}
export function addGlobalCallback(callback: RecordFunctionCallback): CallbackHandle {
  return add(global_callbacks, callback);
}

export function removeCallback(handle: CallbackHandle): void {
  for (const list of [thread_local_callbacks, global_callbacks]) {
    const index = list.findIndex((r) => r.handle === handle);
    if (index >= 0) list.splice(index, 1);
  }
  refresh();
}

function setEnabled(handle: CallbackHandle, enabled: boolean): void {
  for (const r of [...thread_local_callbacks, ...global_callbacks]) if (r.handle === handle) r.enabled = enabled;
  refresh();
}

export function disableCallback(handle: CallbackHandle): void {
  setEnabled(handle, false);
}
export function reenableCallback(handle: CallbackHandle): void {
  setEnabled(handle, true);
}
export function clearThreadLocalCallbacks(): void {
  thread_local_callbacks.length = 0;
  refresh();
}
export function clearGlobalCallbacks(): void {
  global_callbacks.length = 0;
  refresh();
}
export function clearCallbacks(): void {
  clearGlobalCallbacks();
  clearThreadLocalCallbacks();
}

export function isRecordFunctionEnabled(): boolean {
  return record_function_enabled;
}
export function enableRecordFunction(enable: boolean): void {
  record_function_enabled = enable;
  refresh();
}

/** Switches recording on or off until `restore()`. */
export class RecordFunctionGuard {
  private readonly previous: boolean;
  constructor(enable = true) {
    this.previous = record_function_enabled;
    enableRecordFunction(enable);
  }
  restore(): void {
    enableRecordFunction(this.previous);
  }
  [Symbol.dispose](): void {
    this.restore();
  }
}

/**
 * The callbacks of one run, chosen once: adding or removing a callback during the run does not change which `end`s are called.
 */
export interface StepCallbacks {
  readonly callbacks: readonly RecordFunctionCallback[];
  readonly scope: RecordScope;
}

export function getStepCallbacksUnlessEmpty(scope: RecordScope): StepCallbacks | null {
  if (!hasStepCallbacks) return null;
  const callbacks: RecordFunctionCallback[] = [];
  for (const list of [thread_local_callbacks, global_callbacks]) {
    for (const { callback, enabled } of list)
      if (enabled && callback.checkScope(scope) && callback.sampled()) callbacks.push(callback);
  }
  return callbacks.length === 0 ? null : { callbacks, scope };
}

let next_unique_record_function_handle = 1;

export class RecordFunction {
  private readonly step_callbacks_: StepCallbacks;
  private readonly contexts_: ObserverContext[] = [];
  private name_ = "";
  private schema_: FunctionSchema | null = null;
  private sequence_nr_ = -1;
  private inputs_: readonly IValue[] = [];
  private outputs_: unknown = undefined;
  private called_start_callbacks_ = false;
  private is_async_ = false;
  private readonly handle_: number;

  constructor(step_callbacks: StepCallbacks) {
    this.step_callbacks_ = step_callbacks;
    this.handle_ = step_callbacks.callbacks.some((callback) => callback.wantsIds())
      ? next_unique_record_function_handle++
      : 0;
  }

  /** Calls the start callbacks. `fn` is an operator's schema, or the name of anything else. */
  before(fn: FunctionSchema | string, sequence_nr = -1, inputs: readonly IValue[] = []): void {
    this.schema_ = typeof fn === "string" ? null : fn;
    this.name_ = typeof fn === "string" ? fn : fn.name();
    this.sequence_nr_ = sequence_nr;
    this.inputs_ = inputs;
    this.called_start_callbacks_ = true;
    for (const callback of this.step_callbacks_.callbacks) this.contexts_.push(callback.start(this));
  }

  end(): void {
    if (!this.called_start_callbacks_) return;
    this.called_start_callbacks_ = false;
    for (const [i, callback] of this.step_callbacks_.callbacks.entries()) callback.end?.(this, this.contexts_[i]);
  }

  needsInputs(): boolean {
    return this.step_callbacks_.callbacks.some((callback) => callback.wantsInputs());
  }
  needsOutputs(): boolean {
    return this.step_callbacks_.callbacks.some((callback) => callback.wantsOutputs());
  }
  /** An operator's name without its overload: `aten::add`. */
  name(): string {
    return this.name_;
  }
  overload_name(): string {
    return this.schema_?.overload_name() ?? "";
  }
  operator_schema(): FunctionSchema | null {
    return this.schema_;
  }
  /** The number of the node that this call may create, or -1. */
  seqNr(): number {
    return this.sequence_nr_;
  }
  inputs(): readonly IValue[] {
    return this.inputs_;
  }
  outputs(): unknown {
    return this.outputs_;
  }
  setOutputs(outputs: unknown): void {
    this.outputs_ = outputs;
  }
  scope(): RecordScope {
    return this.step_callbacks_.scope;
  }
  handle(): number {
    return this.handle_;
  }
  isActive(): boolean {
    return this.called_start_callbacks_;
  }
  isAsync(): boolean {
    return this.is_async_;
  }
  /** Notes that the run ends later than the scope in which it began (a future). */
  _setAsync(): void {
    this.is_async_ = true;
  }
}

/** RECORD_USER_SCOPE, RECORD_FUNCTION_WITH_SCOPE: runs `fn` as one recorded run. */
export function RECORD_FUNCTION_WITH_SCOPE<R>(
  scope: RecordScope,
  name: string,
  inputs: readonly IValue[],
  fn: () => R,
  sequence_nr = -1,
): R {
  const callbacks = getStepCallbacksUnlessEmpty(scope);
  if (callbacks === null) return fn();
  const guard = new RecordFunction(callbacks);
  guard.before(name, sequence_nr, inputs);
  try {
    return fn();
  } finally {
    guard.end();
  }
}
