/**
 * @file Functions of the library that become nodes.
 * @mirrors torch/_dynamo/variables/torch.py#TorchInGraphFunctionVariable
 */
import { repr } from "#python/Objects/object";
import { type TypeObject, type_of } from "#python/Objects/typeobject";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { name_of } from "#torch/fx/qualified_names";
import type { Source } from "../source.ts";
import { answer_of } from "../trace_rules.ts";
import { type Kwargs, NO_KWARGS, ObjectVariable, type Translator, type VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";
import { constant_call } from "./constant_call.ts";
import { ListVariable, TupleVariable } from "./lists.ts";
import { NumberVariable, SymNodeVariable, TensorVariable } from "./tensor.ts";

const MAKES_OF_VALUES: ReadonlySet<unknown> = new Set([torch.tensor, torch.as_tensor]);

/** The value with numbers in the places of symbols. */
function fixed(tx: Translator, given: VariableTracker): VariableTracker {
  const of = given.realize();
  if (of instanceof NumberVariable) return of.fixed();
  if (!(of instanceof ListVariable || of instanceof TupleVariable)) return of;
  const items = of.items.map((it) => fixed(tx, it));
  return of instanceof ListVariable ? new ListVariable(items, null, "new") : new TupleVariable(items);
}

const CHECKS: ReadonlySet<unknown> = new Set([
  torch._check,
  torch._check_index,
  torch._check_value,
  torch._check_type,
  torch._check_not_implemented,
]);

/** A promise about numbers of the graph is checked when it runs. */
function check(tx: Translator, fn: unknown, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
  const condition = (args[0] ?? kwargs.get("cond"))?.realize();
  if (!(condition instanceof SymNodeVariable)) {
    const given = [...args, ...kwargs.values()].map((it) => tx.constant_of(it));
    return constant_call(tx, () => call_function(fn, given));
  }
  return tx.call_in_graph(fn, [condition], NO_KWARGS);
}

export class TorchInGraphFunctionVariable extends ObjectVariable {
  override readonly value: unknown;
  /** Whether a call is answered at once. */
  readonly is_constant: boolean;

  constructor(value: unknown, is_constant: boolean, source: Source | null = null) {
    super(source);
    this.value = value;
    this.is_constant = is_constant;
  }
  override toString(): string {
    return `TorchInGraphFunctionVariable(${name_of(this.value) ?? repr(this.value)})`;
  }
  override python_type(): TypeObject {
    return type_of(this.value);
  }
  override as_proxy(): unknown {
    return this.value;
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return new ConstantVariable(this.value).var_getattr(tx, name);
  }
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    const answer = answer_of(this.value);
    if (answer !== undefined) return new ConstantVariable(answer);
    // A tensor of numbers that are symbols is one of the numbers in this call.
    if (MAKES_OF_VALUES.has(this.value))
      return tx.call_in_graph(
        this.value,
        args.map((it) => fixed(tx, it)),
        kwargs,
      );
    if (this.value === torch.is_tensor) return new ConstantVariable((args[0] as VariableTracker).is_tensor());
    if (this.value === torch.is_grad_enabled) return new ConstantVariable(torch.is_grad_enabled());
    if (CHECKS.has(this.value)) return check(tx, this.value, args, kwargs);
    if (!this.is_constant) return tx.call_in_graph(this.value, args, kwargs);
    const plain = (arg: VariableTracker): unknown => (arg instanceof TensorVariable ? arg.fake : tx.constant_of(arg));
    return constant_call(tx, () =>
      tx.with_fake(() =>
        call_function(this.value, args.map(plain), new Map([...kwargs].map(([name, arg]) => [name, plain(arg)]))),
      ),
    );
  }
}
