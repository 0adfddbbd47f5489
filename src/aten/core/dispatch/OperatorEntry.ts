/**
 * @file All that the dispatcher knows about one operator: schema, registered kernels, and the table computed from them.
 * @mirrors aten/src/ATen/core/dispatch/OperatorEntry.h
 * @see Dispatcher.ts (who owns it), DispatchKeyExtractor.ts (which cell a call reads)
 */
import { boxArgs, unboxResults } from "#aten/core/boxing/impl/boxing";
import { type Boxing, boxing_of } from "#aten/core/boxing/impl/make_boxed_from_unboxed_functor";
import { KernelFunction, type UnboxedKernelFunction } from "#aten/core/boxing/KernelFunction";
import type { FunctionSchema } from "#aten/core/function_schema";
import type { OperatorName } from "#aten/core/operator_name";
import { get_privateuse1_backend, is_privateuse1_backend_registered } from "#c10/core/DeviceType";
import {
  DispatchKey,
  isAliasDispatchKey,
  toString as keyToString,
  num_runtime_entries,
  toBackendComponent,
} from "#c10/core/DispatchKey";
import {
  autogradother_backends,
  DispatchKeySet,
  getAutogradKeyFromBackend,
  getBackendKeySetFromAutograd,
  getDispatchTableIndexForDispatchKey,
  getRuntimeDispatchKeys,
  isBackendDispatchKey,
  isIncludedInAlias,
} from "#c10/core/DispatchKeySet";
import { TORCH_CHECK_NOT_IMPLEMENTED, TORCH_INTERNAL_ASSERT, TORCH_WARN_ONCE } from "#c10/util/Exception";
import type { Dispatcher, OperatorHandle } from "./Dispatcher.ts";
import { DispatchKeyExtractor } from "./DispatchKeyExtractor.ts";
import { isObserved } from "./ObservedOperators.ts";

// With backends alone this file would be a Map, and `lookup` one line: `kernels.get("CPU/relu")`. The other keys buy this:
//   autograd   a kernel too, which runs first and then calls the next key. Autocast and vmap are kernels of this kind.
//   composite  one kernel written in other operators serves every backend that has none of its own.
//   fallback   one kernel serves every operator at a key.
// So several registrations may fit one key. Most of this file decides which one wins: Note [Precedence of a table entry].

/** The source position of a registration, as dumps print it; it is computed only when it is printed. */
export type DebugInfo = string | { toString(): string };

/** A schema that is parsed from its line at its first use. */
export type DeferredSchema = () => FunctionSchema;

export interface AnnotatedSchema {
  readonly schema: FunctionSchema | DeferredSchema;
  readonly debug: DebugInfo;
}

/** A kernel registered for a key, and its time in the dispatcher's moments. */
interface Registration {
  readonly key: DispatchKey;
  readonly kernel: AnnotatedKernel;
  readonly moment: number;
}

/** The reason why a cell holds its kernel, in the words of `_dispatch_dump_table`. */
export type Origin =
  | "kernel"
  | "default backend kernel"
  | "nested kernel"
  | "math kernel"
  | "ambiguous autogradother"
  | "autograd kernel"
  | "batched kernel"
  | "backend fallback"
  | "missing";

/** A cell of the dispatch table. */
export interface DispatchTableEntry {
  readonly kernel: KernelFunction;
  readonly debug: DebugInfo;
  readonly origin: Origin;
}

/** A kernel and where it was registered. */
export class AnnotatedKernel {
  readonly kernel: KernelFunction;
  readonly debug: DebugInfo;
  /** The last cell made for this kernel: a composite kernel fills a hundred equal cells. */
  private cell: DispatchTableEntry | null = null;

  constructor(kernel: KernelFunction, debug: DebugInfo) {
    this.kernel = kernel;
    this.debug = debug;
  }

  as(origin: Origin): DispatchTableEntry {
    if (this.cell === null || this.cell.origin !== origin)
      this.cell = { kernel: this.kernel, debug: this.debug, origin };
    return this.cell;
  }
}

const missing: DispatchTableEntry = { kernel: KernelFunction.invalid, debug: "missing", origin: "missing" };
const ambiguous: DispatchTableEntry = {
  kernel: KernelFunction.ambiguousAutogradOther,
  debug: "ambiguous_autogradother",
  origin: "ambiguous autogradother",
};

/** Alias keys whose kernels also serve a call without any key. */
const reachUndefined: readonly DispatchKey[] = [
  DispatchKey.CompositeExplicitAutogradNonFunctional,
  DispatchKey.CompositeExplicitAutograd,
  DispatchKey.CompositeImplicitAutograd,
];

/** Every runtime key, in table order. Undefined is no member of any set, yet it has a cell. */
export const runtimeKeys: readonly DispatchKey[] = [DispatchKey.Undefined, ...DispatchKeySet.FULL];

/** The backend's name for users: a renamed backend has its given name. */
function backendName(key: DispatchKey): string {
  return key === DispatchKey.PrivateUse1 && is_privateuse1_backend_registered()
    ? get_privateuse1_backend()
    : keyToString(key);
}

export class OperatorEntry {
  private readonly name_: OperatorName;
  private schema_: AnnotatedSchema | null = null;
  private boxing_: Boxing | null = null;
  private tags_: readonly string[] = [];
  /** Cell i is the result of `computeDispatchTableEntry` for the key of slot i at its last refresh; see Note [Stale cells]. */
  private dispatchTable_: DispatchTableEntry[] = [];
  /** The kernels of the cells as functions of plain arguments; a call reads these. */
  private callables_: UnboxedKernelFunction[] = [];
  private readonly dispatchKeyExtractor_ = new DispatchKeyExtractor();
  /** Registrations not yet applied, in their order; null once the table is built. See Note [The table is made when asked for]. */
  private waiting_: Registration[] | null = [];
  /** The moment in which the entry was created. */
  private readonly born_: number;
  /** Newest first: the first is active; an older one becomes active again when it is deregistered. */
  private readonly kernels_ = new Map<DispatchKey, AnnotatedKernel[]>();
  private readonly is_observed_: boolean;
  private readonly dispatcher: Dispatcher;
  private readonly handle: OperatorHandle;

  constructor(name: OperatorName, dispatcher: Dispatcher, handle: OperatorHandle) {
    this.name_ = name;
    this.dispatcher = dispatcher;
    this.handle = handle;
    this.is_observed_ = isObserved(name);
    this.born_ = dispatcher.moment();
  }

  // Note [The table is made when asked for]
  // ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  // At first an entry only stores its registrations. When a query needs the table, they are applied in their order,
  // interleaved with the fallbacks that were added and removed meanwhile, because this order decides the content of a
  // cell (Note [Stale cells]). From then on registrations take effect at once.
  private stand(): void {
    const { waiting_ } = this;
    if (waiting_ === null) return;
    this.waiting_ = null;
    this.dispatchTable_ = new Array<DispatchTableEntry>(num_runtime_entries).fill(missing);
    this.callables_ = new Array<UnboxedKernelFunction>(num_runtime_entries).fill(this.callMissingKernel);
    // Applies the backend fallbacks that were there before this operator; without kernels every other cell is missing.
    for (const k of this.dispatcher.fallbackKeys()) this.updateDispatchTableEntry_(k);
    let now = this.born_;
    for (const { key, kernel, moment } of waiting_) {
      for (const k of this.dispatcher.fallbackChanges(now, moment)) this.updateDispatchTable_(k);
      now = moment;
      this.addKernel(key, kernel);
      this.updateDispatchTable_(key);
    }
    for (const k of this.dispatcher.fallbackChanges(now)) this.updateDispatchTable_(k);
  }

  name(): OperatorName {
    return this.name_;
  }
  hasSchema(): boolean {
    return this.schema_ !== null;
  }
  schema(): FunctionSchema {
    TORCH_INTERNAL_ASSERT(
      this.schema_ !== null,
      "Tried to access the schema for ",
      this.name_,
      " which doesn't have a schema registered yet",
    );
    return this.readSchema(this.schema_);
  }

  private readSchema(annotated: AnnotatedSchema): FunctionSchema {
    if (typeof annotated.schema !== "function") return annotated.schema;
    const schema = annotated.schema();
    this.schema_ = { schema, debug: annotated.debug };
    this.dispatchKeyExtractor_.registerSchema(schema);
    return schema;
  }

  /** The conversions of a boxed call, chosen at the first one. */
  boxing(): Boxing {
    this.boxing_ ??= boxing_of(this.schema());
    return this.boxing_;
  }

  debug(): string {
    TORCH_INTERNAL_ASSERT(this.schema_ !== null);
    return String(this.schema_.debug);
  }
  tags(): readonly string[] {
    return this.tags_;
  }
  isObserved(): boolean {
    return this.is_observed_;
  }
  dispatchKeyExtractor(): DispatchKeyExtractor {
    this.stand();
    if (this.schema_ !== null) this.readSchema(this.schema_);
    return this.dispatchKeyExtractor_;
  }
  callables(): readonly UnboxedKernelFunction[] {
    this.stand();
    return this.callables_;
  }

  // Registration -----------------------------------------------------------------------------------------------------

  registerSchema(schema: FunctionSchema | DeferredSchema, debug: DebugInfo, tags: readonly string[]): void {
    TORCH_INTERNAL_ASSERT(this.schema_ === null);
    this.schema_ = { schema, debug };
    if (typeof schema !== "function") this.dispatchKeyExtractor_.registerSchema(schema);
    else if (this.waiting_ === null) this.readSchema(this.schema_);
    this.tags_ = tags;
  }

  deregisterSchema(): void {
    TORCH_INTERNAL_ASSERT(this.schema_ !== null);
    this.schema_ = null;
    this.boxing_ = null;
    this.dispatchKeyExtractor_.deregisterSchema();
  }

  /** No key means CompositeImplicitAutograd. The new kernel becomes the active one. */
  registerKernel(dispatch_key: DispatchKey | null, kernel: KernelFunction, debug: DebugInfo): AnnotatedKernel {
    const key = dispatch_key ?? DispatchKey.CompositeImplicitAutograd;
    const previous = this.activeKernel(key);
    // Python deliberately replaces many of the C++ meta kernels.
    if (previous !== null && key !== DispatchKey.Meta) {
      TORCH_WARN_ONCE(
        "Warning only once for all operators,  other operators may also be overridden.\n",
        "  Overriding a previously registered kernel for the same operator and the same dispatch key\n",
        `  operator: ${this.schema_ === null ? this.name_ : this.schema()}\n`,
        `    ${this.schema_ === null ? "no debug info" : this.schema_.debug}\n`,
        `  dispatch key: ${keyToString(key)}\n`,
        `  previous kernel: ${previous.debug}\n`,
        `       new kernel: ${debug}`,
      );
    }
    const annotated = new AnnotatedKernel(kernel, debug);
    if (this.waiting_ !== null) this.waiting_.push({ key, kernel: annotated, moment: this.dispatcher.moment() });
    else {
      this.addKernel(key, annotated);
      this.updateDispatchTable_(key);
    }
    return annotated;
  }

  private addKernel(key: DispatchKey, kernel: AnnotatedKernel): void {
    const list = this.kernels_.get(key);
    if (list === undefined) this.kernels_.set(key, [kernel]);
    else list.unshift(kernel);
  }

  /** The newest kernel for exactly this key, stored or applied. */
  private activeKernel(key: DispatchKey): AnnotatedKernel | null {
    if (this.waiting_ === null) return this.kernels_.get(key)?.[0] ?? null;
    for (let i = this.waiting_.length - 1; i >= 0; i--)
      if (this.waiting_[i].key === key) return this.waiting_[i].kernel;
    return null;
  }

  deregisterKernel_(dispatch_key: DispatchKey | null, annotated: AnnotatedKernel): void {
    this.stand();
    const key = dispatch_key ?? DispatchKey.CompositeImplicitAutograd;
    const list = this.kernels_.get(key);
    TORCH_INTERNAL_ASSERT(
      list !== undefined,
      "Tried to deregister a kernel for dispatch key ",
      keyToString(key),
      " but there are no kernels registered for this dispatch key.",
    );
    list.splice(list.indexOf(annotated), 1);
    if (list.length === 0) this.kernels_.delete(key);
    this.updateDispatchTable_(key);
  }

  updateFallback(dispatch_key: DispatchKey): void {
    if (this.waiting_ === null) this.updateDispatchTable_(dispatch_key);
  }

  // The table ----------------------------------------------------------------------------------------------------------

  hasKernelForDispatchKey(k: DispatchKey): boolean {
    this.stand();
    return this.kernels_.has(k);
  }
  hasKernelForAnyDispatchKey(ks: DispatchKeySet): boolean {
    this.stand();
    for (const k of this.kernels_.keys()) if (!isAliasDispatchKey(k) && ks.has(k)) return true;
    return false;
  }
  hasComputedKernelForDispatchKey(k: DispatchKey): boolean {
    return this.cellOf(k).kernel.isValid();
  }
  kernelForDispatchKeyIsFallthrough(k: DispatchKey): boolean {
    this.stand();
    return this.kernels_.get(k)?.[0]?.kernel.isFallthrough() ?? false;
  }
  /** The active registration for exactly this key (alias or runtime), not what the table computes. */
  getKernelForDispatchKey(k: DispatchKey): AnnotatedKernel | null {
    this.stand();
    return this.kernels_.get(k)?.[0] ?? null;
  }
  /** The oldest registration for exactly this key, which newer ones may have overridden: the library's own. */
  getFirstKernelForDispatchKey(k: DispatchKey): AnnotatedKernel | null {
    this.stand();
    return this.kernels_.get(k)?.at(-1) ?? null;
  }
  getComputedKernelForDispatchKey(k: DispatchKey): KernelFunction {
    return this.cellOf(k).kernel;
  }

  /** The cell that a call with this key set takes. */
  lookupEntry(ks: DispatchKeySet): DispatchTableEntry {
    this.stand();
    return this.dispatchTable_[ks.getDispatchTableIndexForDispatchKeySet()];
  }

  private cellOf(k: DispatchKey): DispatchTableEntry {
    this.stand();
    TORCH_INTERNAL_ASSERT(!isAliasDispatchKey(k), "Alias keys do not have runtime kernel registrations.");
    return this.dispatchTable_[getDispatchTableIndexForDispatchKey(k)];
  }

  /** The kernel for `ks`; raises the error of a missing one. */
  lookup(ks: DispatchKeySet): KernelFunction {
    const { kernel } = this.lookupEntry(ks);
    if (!kernel.isValid()) this.reportError(ks.highestPriorityTypeId());
    return kernel;
  }

  // Note [Precedence of a table entry]
  // ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  // For runtime key k, the first of these that exists:
  //   1    a kernel for k itself                                              "kernel"
  //   2.1  CompositeExplicitAutogradNonFunctional, if it reaches k            "default backend kernel"
  //   2.2  CompositeExplicitAutograd, if it reaches k                         "default backend kernel"
  //   2.3  CompositeImplicitAutogradNestedTensor, if it reaches k             "nested kernel"
  //        CompositeImplicitAutograd, if it reaches k and no backend that k
  //        serves has a kernel of its own (then autograd must see the call)   "math kernel"
  //   2.4  Autograd, if k is an autograd key                                  "autograd kernel"
  //   2.5  FuncTorchBatchedDecomposition, for FuncTorchBatched                "batched kernel"
  //   3    the backend fallback of k                                          "backend fallback"
  //   4    nothing: calling it is an error                                    "missing"
  computeDispatchTableEntry(k: DispatchKey): DispatchTableEntry {
    this.stand();
    const registered = this.kernels_.size === 0 ? null : this.computeFromKernels(k);
    return registered ?? this.dispatcher.backendFallback(k)?.as("backend fallback") ?? missing;
  }

  private computeFromKernels(k: DispatchKey): DispatchTableEntry | null {
    const direct = this.getKernelForDispatchKey(k);
    if (direct !== null) return direct.as("kernel");

    const explicit =
      this.reachedThrough(DispatchKey.CompositeExplicitAutogradNonFunctional, k) ??
      this.reachedThrough(DispatchKey.CompositeExplicitAutograd, k);
    if (explicit !== null) return explicit.as("default backend kernel");

    const nested =
      k === DispatchKey.Undefined ? null : this.reachedThrough(DispatchKey.CompositeImplicitAutogradNestedTensor, k);
    if (nested !== null) return nested.as("nested kernel");

    const math = this.reachedThrough(DispatchKey.CompositeImplicitAutograd, k);
    if (math !== null) {
      // See Note [Ambiguity in AutogradOther kernel].
      if (k === DispatchKey.AutogradOther && this.hasKernelForAnyDispatchKey(autogradother_backends)) return ambiguous;
      if (!this.hasBackendKernel(k)) return math.as("math kernel");
    }

    if (k === DispatchKey.Undefined) return null;
    const autograd = this.reachedThrough(DispatchKey.Autograd, k);
    if (autograd !== null) return autograd.as("autograd kernel");
    return this.reachedThrough(DispatchKey.FuncTorchBatchedDecomposition, k)?.as("batched kernel") ?? null;
  }

  /** Whether a backend that autograd key `k` serves has a kernel that is not composed of other operators. */
  private hasBackendKernel(k: DispatchKey): boolean {
    return (
      this.kernels_.has(DispatchKey.CompositeExplicitAutograd) ||
      this.hasKernelForAnyDispatchKey(getBackendKeySetFromAutograd(k))
    );
  }

  private reachedThrough(alias: DispatchKey, k: DispatchKey): AnnotatedKernel | null {
    const kernel = this.getKernelForDispatchKey(alias);
    return kernel !== null && (k === DispatchKey.Undefined || isIncludedInAlias(k, alias)) ? kernel : null;
  }

  private updateDispatchTableEntry_(k: DispatchKey): void {
    const index = getDispatchTableIndexForDispatchKey(k);
    const entry = this.computeDispatchTableEntry(k);
    if (entry !== this.dispatchTable_[index]) {
      this.dispatchTable_[index] = entry;
      this.callables_[index] = this.callableOf(entry.kernel);
    }
    this.dispatchKeyExtractor_.setOperatorHasFallthroughForKey(k, entry.kernel.isFallthrough());
  }

  private callableOf(kernel: KernelFunction): UnboxedKernelFunction {
    if (kernel.isValidUnboxed()) return kernel.unboxed();
    return kernel.isValid() ? this.callBoxedKernel : this.callMissingKernel;
  }

  /** The table's function for every kernel that only takes a stack. */
  private readonly callBoxedKernel: UnboxedKernelFunction = (ks: DispatchKeySet, ...args: never[]): unknown => {
    const schema = this.schema();
    const stack = boxArgs(schema, args);
    this.lookup(ks).callBoxed(this.handle, ks, stack);
    return unboxResults(schema, stack, args);
  };

  private readonly callMissingKernel: UnboxedKernelFunction = (ks: DispatchKeySet): never =>
    this.reportError(ks.highestPriorityTypeId());

  private updateDispatchTable_(k: DispatchKey): void {
    if (k === DispatchKey.Undefined) {
      this.updateDispatchTableEntry_(k);
      return;
    }
    for (const runtime of getRuntimeDispatchKeys(k)) this.updateDispatchTableEntry_(runtime);
    if (reachUndefined.includes(k)) this.updateDispatchTableEntry_(DispatchKey.Undefined);
    // Note [Refresh Runtime Autograd entries in dispatchTable_]
    // ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    // A kernel for a backend keeps CompositeImplicitAutograd out of that backend's autograd cell (rule 2.3), so a
    // registration for CPU changes AutogradCPU too.
    // Note [Stale cells]
    // ~~~~~~~~~~~~~~~~~~
    // Like PyTorch, we refresh no more than that. Two kinds of late registration leave cells that a new computation
    // would fill differently: CompositeExplicitAutograd after CompositeImplicitAutograd (autograd cells keep the
    // composite), and a kernel for SparseCPU, QuantizedCPU or SparseCsrCPU, which refreshes AutogradCPU although
    // AutogradOther becomes ambiguous. A call reads the cell; `_dispatch_dump_table` computes again; `checkInvariants`
    // reports a difference.
    if (isBackendDispatchKey(k)) this.updateDispatchTableEntry_(getAutogradKeyFromBackend(toBackendComponent(k)));
  }

  // Inspection and errors ----------------------------------------------------------------------------------------------

  /** `[CPU, Meta, …]`: the keys under which a call finds a kernel. */
  listAllDispatchKeys(): string {
    return `[${runtimeKeys
      .filter((k) => this.cellOf(k).kernel.isValid())
      .map(keyToString)
      .join(", ")}]`;
  }

  reportError(dispatch_key: DispatchKey): never {
    this.checkInvariants();
    this.dispatcher.callReportErrorCallback(this.handle, dispatch_key);
    if (dispatch_key === DispatchKey.Undefined) {
      TORCH_CHECK_NOT_IMPLEMENTED(
        false,
        "There were no tensor arguments to this function (e.g., you passed an ",
        "empty list of Tensors), but no fallback function is registered for schema ",
        this.name_,
        ".  This usually means that this function requires a non-empty list of Tensors, or that you (the operator writer) forgot to register a fallback function.  Available functions are ",
        this.listAllDispatchKeys(),
        ".\n\n",
        this.dumpComputedTable(),
      );
    }
    TORCH_CHECK_NOT_IMPLEMENTED(
      false,
      `Could not run '${this.name_}' with arguments from the '${backendName(dispatch_key)}' backend. `,
      "This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). ",
      "If you are a Facebook employee using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible resolutions. ",
      `'${this.name_}' is only available for these backends: ${this.listAllDispatchKeys()}.\n\n`,
      this.dumpComputedTable(),
    );
  }

  /** The text of `torch._C._dispatch_dump`: the registrations. */
  dumpState(): string {
    this.stand();
    let text = `name: ${this.name_}\n`;
    if (this.schema_ === null) {
      text += "schema: (none)\n";
    } else {
      const { debug } = this.schema_;
      const schema = this.schema();
      const byDefault = schema.isDefaultAliasAnalysisKind() ? " (default)" : "";
      text += `schema: ${schema}\ndebug: ${debug}\nalias analysis kind: ${schema.aliasAnalysis()}${byDefault}\n`;
    }
    for (const k of [...this.kernels_.keys()].sort((a, b) => a - b)) {
      (this.kernels_.get(k) as AnnotatedKernel[]).forEach(({ kernel, debug }, i) => {
        const alias = isAliasDispatchKey(k) ? "[alias]" : "";
        const inactive = i > 0 ? " (inactive)" : "";
        text += `${keyToString(k)}${alias}${inactive}: ${debug} :: ${this.inferredSchema(kernel)} [ ${kernel.dumpState()}]\n`;
      });
    }
    return text;
  }

  /** A C++ kernel's signature: types and numbered names. Our functions have no run-time types, so the schema's are used. */
  private inferredSchema(kernel: KernelFunction): string {
    if (!kernel.isValidUnboxed() || this.schema_ === null) return "(none)";
    const schema = this.schema();
    const list = (types: readonly { real_type(): { str(): string } }[]): string =>
      types.map((type, i) => `${type.real_type().str()} _${i}`).join(", ");
    const returns = list(schema.returns());
    return `(${list(schema.arguments())}) -> ${schema.returns().length === 1 ? returns : `(${returns})`}`;
  }

  /** The text of `torch._C._dispatch_dump_table`: the kernel that a call would find for each key, computed again. */
  dumpComputedTable(): string {
    let text = "";
    for (const k of runtimeKeys) {
      const { kernel, debug, origin } = this.computeDispatchTableEntry(k);
      if (kernel.isValid())
        text += `${keyToString(k)}: ${kernel.isFallthrough() ? "fallthrough " : ""}${debug} [${origin}]\n`;
    }
    return text;
  }

  checkInvariants(): void {
    const holds =
      (this.schema_ === null || this.dispatchKeyExtractor().checkInvariants(this.schema())) &&
      runtimeKeys.every((k) => this.computeDispatchTableEntry(k).kernel._equalsBoxedAndUnboxed(this.cellOf(k).kernel));
    if (holds) return;
    TORCH_INTERNAL_ASSERT(
      false,
      `Canonical state\n~~~~~~~~~~~\n${this.dumpState()}\n\nComputed table:\n~~~~~~~~~~~\n${this.dumpComputedTable()}`,
    );
  }
}
