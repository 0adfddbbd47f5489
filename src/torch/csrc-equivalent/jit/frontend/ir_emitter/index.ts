/**
 * @file Compiles a definition to a graph: emission, then single assignment, then clean-up.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp
 */
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { isInferredType } from "#aten/core/inferred_type";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { GraphFunction } from "../../api/function_impl.ts";
import type { Block, Graph } from "../../ir/ir.ts";
import { NormalizeOps } from "../../passes/normalize_ops.ts";
import { code_in_recordings, graph_made, recorded_pass } from "../../recording.ts";
import { CanonicalizeModifiedLoops } from "../canonicalize_modified_loop.ts";
import { ConvertToSSA } from "../convert_to_ssa.ts";
import { ErrorReport } from "../error_report.ts";
import { meaningfulName } from "../meaningful_name.ts";
import type { Resolver } from "../resolver.ts";
import type { SourceRange } from "../source_range.ts";
import type { Self } from "../sugared_value/classes.ts";
import { Compound, tree_lines } from "../tree.ts";
import { type Def, Expr, Return } from "../tree_views.ts";
import { runCleanupPasses } from "./cleanup.ts";
import { StatementEmitter } from "./statements.ts";

// An idea in miniature, for
//
//   def f(x, n: int):          after emission                                    after ConvertToSSA
//       y = x                   = prim::Store[name="y"](%x)
//       if n > 0:              %c : bool = aten::gt(%n, %0)                      %c : bool = aten::gt(%n, %0)
//           y = x + 1           = prim::If(%c)                                   %y : Tensor = prim::If(%c)
//       return y                 block0():                                        block0():
//                                  %1 : Tensor = aten::add(%x, ...)                  %1 : Tensor = aten::add(%x, ...)
//                                   = prim::Store[name="y"](%1)                      -> (%1)
//                                block1():                                        block1():
//                              %y : Tensor = prim::Load[name="y"]()                  -> (%x)
//                               = prim::ReturnStmt(%y)                           return (%y)
//
// Numbers of values are counted over all that is emitted, so the gaps in a finished graph tell what was there before.

class to_ir extends StatementEmitter {
  run(def: Def, self: Self | null): void {
    if (self !== null && def.decl().params().size() === 0) {
      throw new ErrorReport(def.decl().params(), "methods must have a self argument");
    }
    this.method.setSchema(this.emitDef(def, self, this.graph.block()));
  }

  protected override emitDef(def: Def, self: Self | null, block: Block): FunctionSchema {
    const schema = this.typeParser_.parseSchemaFromDef(def, self !== null);
    if (schema.returns().length === 1) this.currentDef().declared_return_type = schema.returns()[0].type();
    const args = this.emitFormalArguments(def, self, schema, block);
    this.emitStatements(def.statements());
    this.handleMaybeNoReturn(def, block);
    return new FunctionSchema(new OperatorName(def.name().name()), args, [this.emitOutput(block)]);
  }

  private emitFormalArguments(def: Def, self: Self | null, schema: FunctionSchema, block: Block): Argument[] {
    const params = def.decl().params();
    const expected = params.size() - (self === null ? 0 : 1);
    const given = schema.arguments();
    if (given.length !== expected) {
      throw new ErrorReport(
        params,
        `Number of type annotations for function parameters (${given.length})`,
        ` does not match the number of parameters on the function (${expected})!`,
      );
    }
    const args: Argument[] = [];
    if (self !== null) {
      const name = params.at(0).ident();
      const input = block.addInput().setDebugName(name.name());
      this.environment_stack.setSugaredVar(name.range(), name.name(), self.makeSugared(input), null);
      args.push(new Argument(name.name(), input.type()));
    }
    const state = self === null ? null : typeOfState(def, self, schema);
    params
      .all()
      .slice(args.length)
      .forEach((param, i) => {
        const name = param.ident();
        const input = block.addInput();
        if (meaningfulName(name.name())) input.setDebugName(name.name());
        const arg = state === null ? given[i] : new Argument(given[i].name(), state);
        args.push(arg);
        input.setType(arg.type());
        this.environment_stack.setVar(name.range(), name.name(), input);
      });
    return args;
  }

  /** A function that may end without `return` returns None. */
  private handleMaybeNoReturn(def: Def, block: Block): void {
    const context = this.currentDef();
    const declared = context.declared_return_type;
    if (this.exit_blocks.has(block)) {
      context.merged_return_type ??= declared ?? types.NoneType; // it always raises
      return;
    }
    if (declared !== null && declared !== types.NoneType) {
      const reason = "but does not return along all paths";
      throw new ErrorReport(def, "Function was not annotated as having type None, ", reason);
    }
    const none = new Expr(Compound.create("None", def.range()));
    this.insertAt(block, () => this.emitReturn(Return.create(def.range(), none)));
  }

  /** Until the returns are merged, a placeholder of the right type is the output. */
  private emitOutput(block: Block): Argument {
    const type = this.currentDef().merged_return_type;
    TORCH_INTERNAL_ASSERT(type !== null);
    block.registerOutput(this.graph.insertNode(this.graph.createUninitialized(type)).output());
    return new Argument("", type);
  }
}

/** The argument of a `__setstate__` without annotation has the type that `__getstate__` returns. */
function typeOfState(def: Def, self: Self, schema: FunctionSchema): Type | null {
  if (def.name().name() !== "__setstate__") return null;
  if (!schema.arguments().every((arg) => isInferredType(arg.type()))) return null;
  const count = def.decl().params().size();
  if (count !== 2) throw new ErrorReport(def, "Expected 2 arguments for `__setstate__`, got: ", count);
  const getstate = self.getClassType().findMethod("__getstate__");
  if (getstate === null) {
    throw new ErrorReport(
      def,
      "`__setstate__` defined but not `__getstate__`. You must have both defined on a ScriptModule to customize serialization.\n",
      "Did you forget to use `@torch.jit.export`?",
    );
  }
  getstate.ensure_defined();
  return getstate.getSchema().returns()[0].type();
}

/** Compiles `def` into the empty graph of `method`, and sets its schema. */
export function emitFunction(def: Def, resolver: Resolver, self: Self | null, method: GraphFunction): void {
  const graph: Graph = method.graph();
  new to_ir(method, resolver).run(def, self);
  for (const pass of [ConvertToSSA, CanonicalizeModifiedLoops, NormalizeOps, runCleanupPasses])
    recorded_pass(graph, pass);
  graph_made("torch::jit::to_ir", graph, method.name(), {
    tree: () => tree_lines(def.get()),
    ...code_in_recordings(method, self !== null),
  });
}

/** The name of a function in errors: `f`, or `Class.method`. */
export function callName(qualname: string, is_method: boolean): string {
  const atoms = qualname.split(".");
  TORCH_CHECK(!is_method || atoms.length >= 2);
  return atoms.slice(is_method ? -2 : -1).join(".");
}

/** Compiles under the function's name, so that errors say by which calls it was reached. */
export function emitNamedFunction(def: Def, resolver: Resolver, self: Self | null, method: GraphFunction): void {
  const range: SourceRange = def.range();
  ErrorReport.withCall(callName(method.qualname(), self !== null), range, () =>
    emitFunction(def, resolver, self, method),
  );
}
