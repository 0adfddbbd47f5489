/**
 * @file Contexts: those that the translator enters itself, as nodes (gradients, autocast), and those of the program, whose methods it follows.
 * @mirrors torch/_dynamo/variables/ctx_manager.py
 */
import { torch } from "#torch/_torch";
import { _enter_autocast, _exit_autocast } from "#torch/amp/autocast_mode";
import type { Node } from "#torch/fx/node";
import type { PyCodegen } from "../codegen.ts";
import { type Kwargs, NO_KWARGS, type Translator, VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";
import { UserFunctionVariable } from "./functions.ts";
import type { UserDefinedObjectVariable } from "./user_defined.ts";

const none = (): VariableTracker => new ConstantVariable(null);

/** A context that a `with` statement enters. */
export interface Context {
  /** Whether the graph can end inside: generated code leaves the context, and the rest of the frame enters it again. */
  readonly can_restore: boolean;
  enter(tx: Translator): VariableTracker;
  /** @param args class, value and traceback of an exception, or three times None */
  exit(tx: Translator, args: readonly VariableTracker[]): VariableTracker;
  /** Loads the class of which a call makes the context. */
  reconstruct_type(codegen: PyCodegen): void;
  /** The arguments of that call. */
  readonly target_values: readonly unknown[];
  toString(): string;
}

/** A context that becomes nodes around the block's. */
export abstract class ContextWrappingVariable extends VariableTracker implements Context {
  readonly can_restore = true;
  abstract readonly target_values: readonly unknown[];
  abstract enter(tx: Translator): VariableTracker;
  abstract exit(tx: Translator): VariableTracker;
  protected abstract readonly cls: unknown;

  reconstruct_type(codegen: PyCodegen): void {
    codegen.load_const(this.cls);
  }
  override reconstruct(codegen: PyCodegen): void {
    this.reconstruct_type(codegen);
    codegen.push_null_below();
    for (const arg of this.target_values) codegen.load_const(arg);
    codegen.call(this.target_values.length);
  }
  /** As a decorator: a function that runs inside the context. */
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const fn = args[0];
    if (args.length === 1 && kwargs.size === 0 && fn instanceof UserFunctionVariable)
      return new WrappedInContext(this, fn);
    return super.call_function(tx, args, kwargs);
  }
}

class WrappedInContext extends VariableTracker {
  private readonly context: ContextWrappingVariable;
  private readonly fn: VariableTracker;

  constructor(context: ContextWrappingVariable, fn: VariableTracker) {
    super();
    this.context = context;
    this.fn = fn;
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    this.context.enter(tx);
    const result = this.fn.call_function(tx, args, kwargs);
    this.context.exit(tx);
    return result;
  }
}

function set_grad_enabled(tx: Translator, mode: boolean): void {
  if (torch.is_grad_enabled() === mode) return;
  tx.call_node("call_function", torch._C._set_grad_enabled, [mode], new Map());
  torch._C._set_grad_enabled(mode);
}

/** `with torch.no_grad():`. A mode that holds already makes no node. */
export class GradModeVariable extends ContextWrappingVariable {
  readonly target: boolean;
  private readonly before = torch.is_grad_enabled();

  constructor(target: boolean) {
    super(null, "new");
    this.target = target;
  }
  protected get cls(): unknown {
    return this.target ? torch.enable_grad : torch.no_grad;
  }
  get target_values(): readonly unknown[] {
    return [];
  }
  enter(tx: Translator): VariableTracker {
    set_grad_enabled(tx, this.target);
    return none();
  }
  exit(tx: Translator): VariableTracker {
    set_grad_enabled(tx, this.before);
    return none();
  }
}

/** `with torch.autocast("cpu"):`. */
export class AutocastModeVariable extends ContextWrappingVariable {
  readonly target_values: readonly unknown[];
  private entered: { readonly node: Node; readonly mode: unknown } | null = null;

  /** @param target_values type of device, dtype, whether it is enabled, whether casts are cached */
  constructor(target_values: readonly unknown[]) {
    super(null, "new");
    this.target_values = target_values;
  }
  protected get cls(): unknown {
    return torch.autocast;
  }
  enter(tx: Translator): VariableTracker {
    const node = tx.output.add_node(_enter_autocast, [...this.target_values]);
    const mode = (_enter_autocast as unknown as (...args: readonly unknown[]) => unknown)(...this.target_values);
    this.entered = { node, mode };
    return none();
  }
  exit(tx: Translator): VariableTracker {
    if (this.entered === null) return none();
    tx.output.add_node(_exit_autocast, [this.entered.node]);
    _exit_autocast(this.entered.mode as never);
    this.entered = null;
    return none();
  }
}

/** A context of a class of the program, or of `contextlib`. */
export class GenericContext implements Context {
  readonly can_restore = false;
  readonly target_values: readonly unknown[] = [];
  private readonly object: UserDefinedObjectVariable;

  constructor(object: UserDefinedObjectVariable) {
    this.object = object;
  }
  toString(): string {
    return this.object.toString();
  }
  enter(tx: Translator): VariableTracker {
    return this.object.call_method(tx, "__enter__", [], NO_KWARGS);
  }
  exit(tx: Translator, args: readonly VariableTracker[]): VariableTracker {
    return this.object.call_method(tx, "__exit__", args, NO_KWARGS);
  }
  reconstruct_type(codegen: PyCodegen): void {
    codegen.reconstruct(this.object);
  }
}

/** The value on the stack inside a `with` block: called at the end, it leaves the context. */
export class WithExitFunctionVariable extends VariableTracker {
  readonly context: Context;
  private readonly leave: () => void;

  /** @param leave tells the translator that the context is left */
  constructor(context: Context, leave: () => void) {
    super();
    this.context = context;
    this.leave = leave;
  }
  override truth(): boolean {
    return true;
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], _kwargs: Kwargs): VariableTracker {
    this.leave();
    return this.context.exit(tx, args);
  }
  /** The class alone: the function of the frame's rest makes the context and enters it. */
  override reconstruct(codegen: PyCodegen): void {
    this.context.reconstruct_type(codegen);
  }
}

/** Classes whose objects the translator enters itself. */
export class ContextClassVariable extends VariableTracker {
  readonly cls: unknown;

  constructor(cls: unknown) {
    super();
    this.cls = cls;
  }
  static holds(cls: unknown): boolean {
    return (
      cls === torch.no_grad || cls === torch.enable_grad || cls === torch.set_grad_enabled || cls === torch.autocast
    );
  }
  override is_python_constant(): boolean {
    return true;
  }
  override as_python_constant(): unknown {
    return this.cls;
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.cls);
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const [first, ...rest] = args.map((arg) => tx.constant_of(arg));
    const keyword = (name: string, at: number, otherwise: unknown): unknown =>
      kwargs.has(name) ? tx.constant_of(kwargs.get(name) as VariableTracker) : (rest[at] ?? otherwise);
    if (this.cls === torch.autocast) {
      const device_type = args.length > 0 ? first : keyword("device_type", 0, null);
      return new AutocastModeVariable([
        device_type,
        keyword("dtype", 0, null),
        keyword("enabled", 1, true),
        keyword("cache_enabled", 2, null),
      ]);
    }
    if (this.cls !== torch.set_grad_enabled) {
      // `@torch.no_grad` without parentheses decorates the function.
      const fn = args[0];
      const made = new GradModeVariable(this.cls === torch.enable_grad);
      return fn === undefined ? made : made.call_function(tx, args, kwargs);
    }
    // The class sets the mode when it is made.
    const made = new GradModeVariable(Boolean(args.length > 0 ? first : keyword("mode", 0, true)));
    made.enter(tx);
    return made;
  }
}
