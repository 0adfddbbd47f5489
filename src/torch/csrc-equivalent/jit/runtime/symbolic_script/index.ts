/**
 * @file Finds the gradient of an operator: the formula's graphs of forward and backward, compiled at the first question.
 * @mirrors torch/csrc/jit/runtime/symbolic_script.cpp
 * @differs The formulas of one operator are compiled at the first question about it; PyTorch compiles all formulas at the first question.
 */
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { TupleType, type Type } from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import { TORCH_CHECK } from "#c10/util/Exception";
import { CompilationUnit } from "../../api/compilation_unit.ts";
import type { GraphFunction } from "../../api/function_impl.ts";
import { type FunctionText, function_texts } from "../../frontend/function_texts.ts";
import { nativeResolver, type Resolver } from "../../frontend/resolver.ts";
import type { SourceRange } from "../../frontend/source_range.ts";
import type { SugaredValue } from "../../frontend/sugared_value/base.ts";
import { FunctionValue } from "../../frontend/sugared_value/simple_value.ts";
import type { Graph } from "../../ir/ir.ts";
import { unrecorded } from "../../recording.ts";
import { canonicalSchemaString } from "../operator.ts";
import { functions } from "./formulas.ts";

export interface GradientPair {
  /** Gives a tuple: the results, and what backward needs. */
  readonly forward: Graph;
  /** Takes what forward kept, and the gradients of the results; gives the gradients of the arguments. */
  readonly backward: Graph;
}

const cached_gradient_pairs = new WeakMap<FunctionSchema, GradientPair | false>();

/** Takes the closure out of what a formula returns: it gives the context in its place, and the closure's graph is backward. */
function pairOf(method: GraphFunction): GradientPair {
  const forward = method.graph();
  const result = forward.outputs()[0].node();
  TORCH_CHECK(result.kind() === "prim::TupleConstruct", "gradient must return literal a tuple");
  const closure = result.inputs()[result.inputs().length - 1].node();
  TORCH_CHECK(closure.kind() === "prim::TupleConstruct", "closure must be a literal tuple construct");
  const [fn, context] = closure.inputs();
  TORCH_CHECK(fn.node().kind() === "prim::Closure", "closure tuple must contain a prim::Closure");
  const kept = forward.appendNode(forward.createTuple([...result.inputs().slice(0, -1), context])).output();
  forward.eraseOutput(0);
  forward.registerOutput(kept);
  result.destroy();
  return { forward, backward: fn.node().g("Subgraph") };
}

/** The operator's result type: without what is kept for backward. */
function originalReturnType(tuple: Type): Type {
  const types = tuple.containedTypes();
  return types.length === 2 ? types[0] : TupleType.create(types.slice(0, -1));
}

// Note [Formulas are compiled one by one]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The first profiled call asks for the gradient of each of its operators. So the formulas of an operator's name are compiled at the
// first question about this name, and a helper `AD_...` when the first formula that calls it is compiled.

/** Functions of one text. A formula finds the helpers of its own text. */
class FormulaText implements Resolver {
  private readonly unit = new CompilationUnit();
  private readonly functions: ReadonlyMap<string, FunctionText>;
  private readonly torch = nativeResolver();

  constructor(functions: readonly FunctionText[]) {
    this.functions = new Map(functions.map((fn) => [fn.name, fn]));
  }

  compiled(name: string): GraphFunction {
    const { parse } = this.functions.get(name) as FunctionText;
    return this.unit.find_function(name) ?? this.unit.define(null, { defs: [[parse(), this]], self: null })[0];
  }

  resolveValue(name: string, m: GraphFunction, loc: SourceRange): SugaredValue | null {
    return this.functions.has(name) ? new FunctionValue([this.compiled(name)]) : this.torch.resolveValue(name, m, loc);
  }

  resolveType(name: string, loc: SourceRange): Type | null {
    return this.torch.resolveType(name, loc);
  }
}

type Formula = () => GraphFunction;

/** Formulas by operator name: `std_0`, `std_1` and `std_2` are those of `aten::std`. */
function formulasByOperator(): Map<string, Formula[]> {
  const by_operator = new Map<string, Formula[]>();
  for (const source of functions) {
    const texts = function_texts(source);
    const owner = new FormulaText(texts);
    for (const { name } of texts) {
      if (name.startsWith("AD_")) continue;
      const operator = operatorOf(name);
      by_operator.set(operator, [...(by_operator.get(operator) ?? []), () => owner.compiled(name)]);
    }
  }
  return by_operator;
}

const operatorOf = (formula: string): string => `aten::${formula.replace(/_\d+$/, "")}`;

/** Null: nobody has asked yet. */
let formulas: Map<string, Formula[]> | null = null;
/** Pairs by canonical schema; those of the operator names that were asked for. */
const schema_to_graphs = new Map<string, GradientPair>();

function loadFormulas(operator: string): void {
  formulas ??= formulasByOperator();
  const of_operator = formulas.get(operator) ?? [];
  formulas.delete(operator);
  for (const formula of of_operator) {
    const method = unrecorded(formula);
    const pair = pairOf(method);
    const result = new Argument("", originalReturnType(pair.forward.outputs()[0].type()));
    const schema = new FunctionSchema(new OperatorName(operator), method.getSchema().arguments(), [result]);
    schema_to_graphs.set(canonicalSchemaString(schema), pair);
  }
}

/** Null: no formula is known. */
export function gradientInfoForSchema(schema: FunctionSchema): GradientPair | null {
  const cached = cached_gradient_pairs.get(schema);
  if (cached !== undefined) return cached || null;
  loadFormulas(schema.name());
  const pair = schema_to_graphs.get(canonicalSchemaString(schema)) ?? null;
  cached_gradient_pairs.set(schema, pair ?? false);
  return pair;
}

export function hasGradientInfoForSchema(schema: FunctionSchema): boolean {
  return gradientInfoForSchema(schema) !== null;
}
