/**
 * @file Finds the gradient of an operator: the formula's graphs of forward and backward, compiled at the first question.
 * @mirrors torch/csrc/jit/runtime/symbolic_script.cpp
 */
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { TupleType, type Type } from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import { TORCH_CHECK } from "#c10/util/Exception";
import { CompilationUnit } from "../../api/compilation_unit.ts";
import type { GraphFunction } from "../../api/function_impl.ts";
import { nativeResolver } from "../../frontend/resolver.ts";
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

/** Pairs by canonical schema. Null: not compiled yet. */
let schema_to_graphs: Map<string, GradientPair> | null = null;
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

function loadFunctions(): Map<string, GradientPair> {
  const unit = new CompilationUnit();
  unrecorded(() => {
    for (const source of functions) unit.define_source(null, source, nativeResolver(), null);
  });
  const pairs = new Map<string, GradientPair>();
  for (const method of unit.get_functions()) {
    if (method.name().startsWith("AD_")) continue;
    const pair = pairOf(method);
    const result = new Argument("", originalReturnType(pair.forward.outputs()[0].type()));
    const name = new OperatorName(`aten::${method.name().replace(/_\d+$/, "")}`);
    pairs.set(canonicalSchemaString(new FunctionSchema(name, method.getSchema().arguments(), [result])), pair);
  }
  return pairs;
}

/** Null: no formula is known. */
export function gradientInfoForSchema(schema: FunctionSchema): GradientPair | null {
  const cached = cached_gradient_pairs.get(schema);
  if (cached !== undefined) return cached || null;
  schema_to_graphs ??= loadFunctions();
  const text = canonicalSchemaString(schema);
  const pair = schema_to_graphs.get(text) ?? null;
  cached_gradient_pairs.set(schema, pair ?? false);
  return pair;
}

export function hasGradientInfoForSchema(schema: FunctionSchema): boolean {
  return gradientInfoForSchema(schema) !== null;
}
