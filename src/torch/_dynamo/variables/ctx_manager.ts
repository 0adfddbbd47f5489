/**
 * @file Contexts that the translator enters itself: the state of gradients.
 * @mirrors torch/_dynamo/variables/ctx_manager.py
 */
import { torch } from "#torch/_torch";
import type { PyCodegen } from "../codegen.ts";
import { type Kwargs, type Translator, VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";
import { UserFunctionVariable } from "./functions.ts";

/** `with torch.no_grad():`, which becomes two nodes around the block's. */
export class GradModeVariable extends VariableTracker {
  readonly target: boolean;
  /** The class and the arguments by which a program makes the context. */
  private readonly made_by: { readonly cls: unknown; readonly args: readonly unknown[] };
  private before: boolean[] = [];

  constructor(target: boolean, cls: unknown, args: readonly unknown[]) {
    super(null, "new");
    this.target = target;
    this.made_by = { cls, args };
  }
  private set(tx: Translator, mode: boolean): void {
    tx.call_node("call_function", torch._C._set_grad_enabled, [mode], new Map(), "_set_grad_enabled");
    torch._C._set_grad_enabled(mode);
  }
  enter(tx: Translator): VariableTracker {
    this.before.push(torch.is_grad_enabled());
    this.set(tx, this.target);
    return new ConstantVariable(null);
  }
  exit(tx: Translator): VariableTracker {
    this.set(tx, this.before.pop() as boolean);
    return new ConstantVariable(null);
  }
  override reconstruct(codegen: PyCodegen): void {
    codegen.load_const(this.made_by.cls);
    codegen.push_null_below();
    for (const arg of this.made_by.args) codegen.load_const(arg);
    codegen.call(this.made_by.args.length);
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
  private readonly context: GradModeVariable;
  private readonly fn: VariableTracker;

  constructor(context: GradModeVariable, fn: VariableTracker) {
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

/** The classes whose objects `GradModeVariable` follows, with the mode that a call without arguments sets. */
export class GradModeClassVariable extends VariableTracker {
  readonly cls: unknown;

  constructor(cls: unknown) {
    super();
    this.cls = cls;
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
    const values = [...args, ...kwargs.values()].map((arg) => tx.constant_of(arg));
    const mode = this.cls === torch.no_grad ? false : this.cls === torch.enable_grad ? true : Boolean(values[0]);
    if (this.cls !== torch.set_grad_enabled) return new GradModeVariable(mode, this.cls, []);
    const made = new GradModeVariable(mode, this.cls, [mode]);
    // The class sets the mode when it is made, and again when it is entered.
    return made;
  }
}
