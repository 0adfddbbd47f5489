/**
 * @file The one place that knows every operator, and finds the kernel for a call.
 * @mirrors aten/src/ATen/core/dispatch/Dispatcher.h
 * @differs There are no locks, because one thread runs everything; PyTorch has a mutex and LeftRight tables.
 * @differs A registration ends by its handle's `destroy()`; PyTorch's handle ends it in its destructor.
 * @see OperatorEntry.ts (the table), DispatchKeyExtractor.ts (the key set), Note [A call, hot and cold] below
 */
import type { KernelFunction, UnboxedKernelFunction } from "#aten/core/boxing/KernelFunction";
import type { FunctionSchema } from "#aten/core/function_schema";
import { OperatorName } from "#aten/core/operator_name";
import type { Stack } from "#aten/core/stack";
import { type DispatchKey, toString as keyToString, num_runtime_entries } from "#c10/core/DispatchKey";
import { type DispatchKeySet, getDispatchTableIndexForDispatchKey } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { observed, setTracer, tracer } from "#c10/util/Trace";
import { argumentsOf, callSlow } from "./Dispatcher.slow.ts";
import type { DispatchKeyExtractor } from "./DispatchKeyExtractor.ts";
import { AnnotatedKernel, type DebugInfo, type DeferredSchema, OperatorEntry, runtimeKeys } from "./OperatorEntry.ts";
import { RegistrationHandleRAII } from "./RegistrationHandleRAII.ts";

/** Notified when an operator gets or loses its schema. */
export interface OpRegistrationListener {
  onOperatorRegistered(op: OperatorHandle): void;
  onOperatorDeregistered(op: OperatorHandle): void;
}

/**
 * A block of registrations that are made only when an operator is first requested: Note [Registered when asked for] in
 * core/library.ts.
 */
export interface RegistrationsInWaiting {
  /** The operators that the block registers, without overloads: `aten::exp`. */
  names(): string[];
  /** Registers the block's entries for this operator, if there are any. */
  register(name: string): void;
}

const NOT_ASKED_FOR: unknown = null;

/** A caller's reference to an operator. There is one handle per operator, so handles can be compared and kept. */
export class OperatorHandle {
  readonly entry: OperatorEntry;
  /** Computes a call's key set (see DispatchKeyExtractor.ts). Like `callables`, it is set by the first `typed()`. */
  extractor: DispatchKeyExtractor = NOT_ASKED_FOR as never;
  protected callables: readonly UnboxedKernelFunction[] = NOT_ASKED_FOR as never;
  /** Number of registered schemas (0 or 1), and of schemas and kernels together: at 0 the operator is forgotten. */
  def_count = 0;
  def_and_impl_count = 0;

  constructor(name: OperatorName, dispatcher: Dispatcher) {
    this.entry = new OperatorEntry(name, dispatcher, this);
  }

  operator_name(): OperatorName {
    return this.entry.name();
  }
  hasSchema(): boolean {
    return this.entry.hasSchema();
  }
  schema(): FunctionSchema {
    return this.entry.schema();
  }
  debug(): string {
    return this.entry.debug();
  }
  tags(): readonly string[] {
    return this.entry.tags();
  }
  hasTag(tag: string): boolean {
    return this.entry.tags().includes(tag);
  }
  dumpState(): string {
    return this.entry.dumpState();
  }
  checkInvariants(): void {
    this.entry.checkInvariants();
  }
  hasKernelForDispatchKey(k: DispatchKey): boolean {
    return this.entry.hasKernelForDispatchKey(k);
  }
  hasComputedKernelForDispatchKey(k: DispatchKey): boolean {
    return this.entry.hasComputedKernelForDispatchKey(k);
  }

  /** The operator with the type of its unboxed kernels, ready to be called: its table is built and its schema is parsed. */
  typed<F extends UnboxedKernelFunction>(): TypedOperatorHandle<F> {
    if (this.extractor === NOT_ASKED_FOR) {
      this.extractor = this.entry.dispatchKeyExtractor();
      this.callables = this.entry.callables();
    }
    return this as unknown as TypedOperatorHandle<F>;
  }

  /** The plain function for this key set; for a missing kernel, a function that throws its error. */
  lookup(ks: DispatchKeySet): UnboxedKernelFunction {
    return this.callables[ks.getDispatchTableIndexForDispatchKeySet()];
  }

  callBoxed(stack: Stack): void {
    Dispatcher.singleton().callBoxed(this, stack);
  }
  redispatchBoxed(ks: DispatchKeySet, stack: Stack): void {
    Dispatcher.singleton().redispatchBoxed(this, ks, stack);
  }

  toString(): string {
    return String(this.operator_name());
  }
}

/** An `OperatorHandle` whose kernels have type F. */
export interface TypedOperatorHandle<F extends UnboxedKernelFunction> extends OperatorHandle {
  lookup(ks: DispatchKeySet): F;
}

// Note [A call, hot and cold]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A call does three things: compute the key set, read one cell, jump. The generated `at::_ops::X::call` has just these
// in its own text, so that the JavaScript engine can inline them. If a tracer or a RecordFunction callback observes, it
// jumps to `callSlow`, which does the same three things and reports them. An operator's first call, which has no handle
// yet, also goes there.
export class Dispatcher {
  private static readonly singleton_ = new Dispatcher();
  private readonly operatorLookupTable_ = new Map<string, OperatorHandle>();
  /** Operators that have a schema, in the order in which they got it. */
  private readonly defined_ = new Set<OperatorHandle>();
  /** Namespaces claimed by a TORCH_LIBRARY, and where. */
  private readonly libraries_ = new Map<string, DebugInfo>();
  private readonly backendFallbackKernels_ = new Array<AnnotatedKernel | null>(num_runtime_entries).fill(null);
  private fallbackKeys_: readonly DispatchKey[] = [];
  /** Keys whose backend fallback was added or removed, in that order. */
  private readonly fallbackChanges_: DispatchKey[] = [];
  private readonly waiting_: { readonly block: RegistrationsInWaiting; readonly moment: number }[] = [];
  /** Operators, without overloads, for which no registrations wait any more. */
  private readonly awake_ = new Set<string>();
  /** The moment in which waiting registrations belong, while they are made late; otherwise null. */
  private earlier_: number | null = null;
  private readonly listeners_ = new Set<OpRegistrationListener>();
  private report_error_callback_: ((op: OperatorHandle, key: DispatchKey) => void) | null = null;

  static singleton(): Dispatcher {
    return Dispatcher.singleton_;
  }

  // Finding operators --------------------------------------------------------------------------------------------------

  /** An operator for which anything is registered, its schema or only a kernel. */
  findOp(name: OperatorName): OperatorHandle | null {
    return this.lookUp(String(name))?.typed() ?? null;
  }

  findSchema(name: OperatorName): OperatorHandle | null {
    const op = this.findOp(name);
    return op?.hasSchema() === true ? op : null;
  }

  findSchemaOrThrow(name: string, overload_name: string): OperatorHandle {
    const wanted = new OperatorName(name, overload_name);
    const op = this.findOp(wanted);
    if (op?.hasSchema() === true) return op;
    const found = op === null ? "" : " but we found an implementation; did you forget to def() the operator?";
    TORCH_CHECK(false, `Could not find schema for ${name}.${overload_name}${found}`);
  }

  getAllOpNames(): OperatorName[] {
    return [...this.operators()].map((op) => op.operator_name());
  }

  operators(): Iterable<OperatorHandle> {
    for (const { block } of this.waiting_) for (const name of block.names()) this.wake(name);
    return this.operatorLookupTable_.values();
  }

  /** Operators with a cell of their own for `k` (not computed from an alias or fallback); all operators for null. */
  getRegistrationsForDispatchKey(k: DispatchKey | null): OperatorName[] {
    return [...this.operators()]
      .filter((op) => k === null || op.hasKernelForDispatchKey(k))
      .map((op) => op.operator_name());
  }

  private lookUp(key: string): OperatorHandle | undefined {
    const found = this.operatorLookupTable_.get(key);
    if (found !== undefined) return found;
    const dot = key.indexOf(".");
    this.wake(dot < 0 ? key : key.slice(0, dot));
    return this.operatorLookupTable_.get(key);
  }

  /**
   * Makes the registrations that wait for this operator and its overloads. They are not recorded, because they belong
   * to the import.
   */
  wake(name: string): void {
    if (this.awake_.has(name)) return;
    this.awake_.add(name);
    const before = this.earlier_;
    const recording = tracer;
    setTracer(null);
    try {
      for (const { block, moment } of this.waiting_) {
        this.earlier_ = moment;
        block.register(name);
      }
    } finally {
      this.earlier_ = before;
      setTracer(recording);
    }
  }

  private findOrRegisterName_(name: OperatorName): OperatorHandle {
    const key = String(name);
    const found = this.lookUp(key);
    if (found !== undefined) return found;
    const op = new OperatorHandle(name, this);
    this.operatorLookupTable_.set(key, op);
    return op;
  }

  private cleanup(op: OperatorHandle): void {
    if (op.def_and_impl_count === 0) this.operatorLookupTable_.delete(String(op.operator_name()));
  }

  // Registration -------------------------------------------------------------------------------------------------------

  registerWhenAskedFor(block: RegistrationsInWaiting): void {
    for (const name of this.awake_) block.register(name);
    this.waiting_.push({ block, moment: this.moment() });
  }

  /** The number of fallback changes so far: the time of a registration. */
  moment(): number {
    return this.earlier_ ?? this.fallbackChanges_.length;
  }

  /** Fallbacks that changed between two moments. */
  fallbackChanges(from: number, to = this.fallbackChanges_.length): readonly DispatchKey[] {
    return this.fallbackChanges_.slice(from, to);
  }

  registerLibrary(ns: string, debug: DebugInfo): RegistrationHandleRAII {
    TORCH_CHECK(
      !this.libraries_.has(ns),
      `Only a single TORCH_LIBRARY can be used to register the namespace ${ns}; please put all of your definitions in a single TORCH_LIBRARY block.  `,
      "If you were trying to specify implementations, consider using TORCH_LIBRARY_IMPL (which can be duplicated).  ",
      "If you really intended to define operators for a single namespace in a distributed way, you can use TORCH_LIBRARY_FRAGMENT to explicitly indicate this.  ",
      `Previous registration of TORCH_LIBRARY was ${this.libraries_.get(ns)}; latest registration was ${debug}`,
    );
    this.libraries_.set(ns, debug);
    return new RegistrationHandleRAII(() => this.libraries_.delete(ns));
  }

  /** @param schema a schema, or a function that returns it, for one that is parsed at its first use */
  registerDef(
    name: OperatorName,
    schema: FunctionSchema | DeferredSchema,
    debug: DebugInfo,
    tags: readonly string[] = [],
  ): RegistrationHandleRAII {
    const op = this.findOrRegisterName_(name);
    if (op.def_count > 0)
      TORCH_CHECK(
        false,
        `Tried to register an operator (${typeof schema === "function" ? schema() : schema}) with the same name and overload name multiple times.`,
        " Each overload's schema should only be registered with a single call to def().",
        ` Duplicate registration: ${debug}. Original registration: ${op.debug()}`,
      );
    op.entry.registerSchema(schema, debug, tags);
    this.defined_.add(op);
    for (const listener of this.listeners_) listener.onOperatorRegistered(op);
    op.def_count++;
    op.def_and_impl_count++;
    return new RegistrationHandleRAII(() => {
      op.def_count--;
      op.def_and_impl_count--;
      for (const listener of this.listeners_) listener.onOperatorDeregistered(op);
      op.entry.deregisterSchema();
      this.defined_.delete(op);
      this.cleanup(op);
    });
  }

  /** Registers a kernel. It may come before the schema: libraries can be imported in any order. */
  registerImpl(
    name: OperatorName,
    key: DispatchKey | null,
    kernel: KernelFunction,
    debug: DebugInfo,
  ): RegistrationHandleRAII {
    const op = this.findOrRegisterName_(name);
    const annotated = op.entry.registerKernel(key, kernel, debug);
    op.def_and_impl_count++;
    return new RegistrationHandleRAII(() => {
      op.entry.deregisterKernel_(key, annotated);
      op.def_and_impl_count--;
      this.cleanup(op);
    });
  }

  registerFallback(key: DispatchKey, kernel: KernelFunction, debug: DebugInfo): RegistrationHandleRAII {
    const index = getDispatchTableIndexForDispatchKey(key);
    const previous = this.backendFallbackKernels_[index];
    TORCH_CHECK(
      previous === null,
      `Tried to register multiple backend fallbacks for the same dispatch key ${keyToString(key)}; previous registration ${previous?.debug}, new registration ${debug}`,
    );
    this.backendFallbackKernels_[index] = new AnnotatedKernel(kernel, debug);
    this.updateFallbacks(key);
    return new RegistrationHandleRAII(() => {
      this.backendFallbackKernels_[index] = null;
      this.updateFallbacks(key);
    });
  }

  private updateFallbacks(key: DispatchKey): void {
    this.fallbackKeys_ = runtimeKeys.filter((k) => this.hasBackendFallbackForDispatchKey(k));
    this.fallbackChanges_.push(key);
    for (const op of this.operatorLookupTable_.values()) op.entry.updateFallback(key);
  }

  backendFallback(key: DispatchKey): AnnotatedKernel | null {
    return this.backendFallbackKernels_[getDispatchTableIndexForDispatchKey(key)] ?? null;
  }

  hasBackendFallbackForDispatchKey(key: DispatchKey): boolean {
    return this.backendFallback(key) !== null;
  }

  /**
   * Calls `listener` for every operator with a schema, in the order of definition, and for each one that is added or woken later.
   */
  addRegistrationListener(listener: OpRegistrationListener): RegistrationHandleRAII {
    for (const op of this.defined_) listener.onOperatorRegistered(op);
    this.listeners_.add(listener);
    return new RegistrationHandleRAII(() => this.listeners_.delete(listener));
  }

  setReportErrorCallback_(callback: ((op: OperatorHandle, key: DispatchKey) => void) | null): void {
    this.report_error_callback_ = callback;
  }

  callReportErrorCallback(op: OperatorHandle, key: DispatchKey): void {
    this.report_error_callback_?.(op, key);
  }

  // Calling ------------------------------------------------------------------------------------------------------------

  static callSlow = callSlow;

  callBoxed(op: OperatorHandle, stack: Stack): void {
    const ks = op.typed().extractor.getDispatchKeySetBoxed(stack);
    if (observed) {
      callSlow(op, "callBoxed", ks, argumentsOf(op, stack), stack);
      return;
    }
    op.entry.lookup(ks).callBoxed(op, ks, stack);
  }

  redispatchBoxed(op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void {
    if (tracer !== null) {
      callSlow(op, "redispatchBoxed", ks, argumentsOf(op, stack), stack);
      return;
    }
    op.entry.lookup(ks).callBoxed(op, ks, stack);
  }

  /** Calls the kernel of exactly this key (or alias), whatever the arguments are. It receives an empty key set. */
  callBoxedForDispatchKey(op: OperatorHandle, key: DispatchKey, stack: Stack): void {
    const registered = op.entry.getKernelForDispatchKey(key);
    const kernel = registered?.kernel ?? op.entry.getComputedKernelForDispatchKey(key);
    if (!kernel.isValid()) op.entry.reportError(key);
    kernel.callBoxed(op, op.typed().extractor.getDispatchKeySetBoxed(stack), stack);
  }

  // Invariants ---------------------------------------------------------------------------------------------------------

  checkInvariants(): void {
    for (const op of this.operators()) {
      TORCH_INTERNAL_ASSERT(op.def_and_impl_count > 0, "operator without a registration: ", op);
      op.checkInvariants();
    }
  }

  /** Operators with kernels but no schema: usually a misspelt name. */
  findDanglingImpls(): OperatorHandle[] {
    return [...this.operators()].filter((op) => !op.hasSchema());
  }

  /** Every runtime key that has a backend fallback, in table order. */
  fallbackKeys(): readonly DispatchKey[] {
    return this.fallbackKeys_;
  }
}
