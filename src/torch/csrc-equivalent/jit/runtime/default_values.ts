/**
 * @file Computes the default values of parameters: they are the result of a function that is compiled and run.
 * @mirrors torch/csrc/jit/frontend/script_type_parser.cpp#evaluateDefaults
 */
import type { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";
import { CompilationUnit } from "../api/compilation_unit.ts";
import { nativeResolver, type Resolver } from "../frontend/resolver.ts";
import { setDefaultsEvaluator } from "../frontend/script_type_parser.ts";
import type { Def } from "../frontend/tree_views.ts";
import { unrecorded } from "../recording.ts";
import { executor_settings } from "./executor_settings.ts";
import { executor_of } from "./graph_executor/index.ts";

setDefaultsEvaluator((def, resolver): IValue => unrecorded(() => evaluate(def, resolver)));

function evaluate(def: Def, resolver: Resolver | null): IValue {
  const unit = new CompilationUnit();
  const [fn] = unit.define(null, { defs: [[def, resolver ?? nativeResolver()]], self: null });
  // A pass of the executor compiles functions with defaults itself.
  const { optimize } = executor_settings;
  executor_settings.optimize = false;
  try {
    const stack: Stack = [];
    executor_of(fn).run(stack);
    return stack[0];
  } finally {
    executor_settings.optimize = optimize;
  }
}
