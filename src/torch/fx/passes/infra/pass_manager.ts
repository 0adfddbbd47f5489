/**
 * @file `PassManager`: runs passes in an order that meets constraints.
 * @mirrors torch/fx/passes/infra/pass_manager.py
 */
import { Exception, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { is_function } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined, repr, str, truth } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { def_methods, Init, types } from "#torch/_signature";
import { Module } from "#torch/nn/modules/module/index";
import { call_function } from "../../callables.ts";
import { GraphModule } from "../../graph_module.ts";
import { has_name, name_of } from "../../qualified_names.ts";
import { pass_result } from "./pass_base.ts";

type Pass = unknown;

const name_of_pass = (pass: Pass): string => (is_function(pass) ? (name_of(pass) ?? "pass") : type_of(pass).name);

/** Makes a function whose result is a module, or nothing, a pass. */
export const pass_result_wrapper = has_name(
  "torch.fx.passes.infra.pass_manager.pass_result_wrapper",
  (fn: unknown): unknown => {
    if (fn === null) return null;
    const wrapped = (gm: unknown): unknown => {
      const res = call_function(fn, [gm]);
      if (res === null) return pass_result(gm, true);
      return res instanceof Module ? pass_result(res, true) : res;
    };
    return Object.defineProperty(wrapped, "name", { value: name_of_pass(fn) });
  },
);

/** A constraint: pass `first` runs before pass `second`. */
export const this_before_that_pass_constraint = has_name(
  "torch.fx.passes.infra.pass_manager.this_before_that_pass_constraint",
  (first: unknown, second: unknown): unknown =>
    (a: unknown, b: unknown): boolean =>
      a !== second || b !== first,
);

const PassManager_init = new Init(
  "PassManager.__init__(self, passes=None, constraints=None, steps=None, run_checks_after_each_pass=False, suppress_check_failures=False)",
  types<
    [
      passes: Pass[] | null,
      constraints: unknown[] | null,
      steps: number | null,
      run_checks_after_each_pass: boolean,
      suppress_check_failures: boolean,
    ]
  >,
);

export class PassManager extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.passes.infra.pass_manager";
  passes: Pass[];
  constraints: unknown[];
  steps: number;
  run_checks_after_each_pass: boolean;
  suppress_check_failures: boolean;
  private check_: unknown = null;
  private validated = false;

  static {
    def_methods(PassManager, {
      __init__: PassManager_init,
      add_pass: "(self, _pass)",
      add_constraint: "(self, constraint)",
      add_checks: "(self, check)",
    });
  }

  constructor(...given: unknown[]) {
    super();
    const [passes, constraints, steps, run_checks, suppress] = PassManager_init.bind(given);
    this.passes = passes ?? [];
    this.constraints = constraints ?? [];
    this.steps = steps ?? 1;
    this.run_checks_after_each_pass = run_checks;
    this.suppress_check_failures = suppress;
  }

  add_pass(pass: Pass): void {
    this.passes.push(pass);
    this.validated = false;
  }

  add_constraint(constraint: unknown): void {
    this.constraints.push(constraint);
    this.validated = false;
  }

  /** Sets a function that is called with the module after each pass. */
  add_checks(check: unknown): void {
    const code = getattr_or_undefined(check, "__code__");
    if (code !== undefined && getattr(code, "co_argcount") !== 1)
      throw new TypeError_("PassManager check function should only take in one variable, a module");
    this.check_ = check;
  }

  check(module: unknown): void {
    if (this.check_ !== null) call_function(this.check_, [module]);
  }

  private allowed(a: Pass, b: Pass): boolean {
    return this.constraints.every((constraint) => truth(call_function(constraint, [a, b])));
  }

  /** Raises if the passes stand in an order that violates a constraint. */
  validate_constraints(): void {
    if (this.validated) return;
    this.passes.forEach((a, i) => {
      this.passes.slice(i + 1).forEach((b, j) => {
        if (!this.allowed(a, b))
          throw new RuntimeError(
            `pass schedule constraint violated. Expected ${str(a)} before ${str(b)} but found ${str(a)} at index ${i} and ${str(b)} at index ${j} in pass list.`,
          );
      });
    });
    this.validated = true;
  }

  /** Sorts the passes so that they meet the constraints. @throws {RuntimeError} "Circular dependency detected ..." */
  solve_constraints(): void {
    this.validated = true;
    if (this.constraints.length === 0) return;
    const after = new Map<Pass, Pass[]>(this.passes.map((pass) => [pass, []]));
    const missing = new Map<Pass, number>(this.passes.map((pass) => [pass, 0]));
    for (const a of this.passes)
      for (const b of this.passes)
        if (a !== b)
          for (const constraint of this.constraints)
            if (!truth(call_function(constraint, [a, b]))) {
              (after.get(b) as Pass[]).push(a);
              missing.set(a, (missing.get(a) as number) + 1);
            }
    const ready = this.passes.filter((pass) => missing.get(pass) === 0);
    const sorted: Pass[] = [];
    for (const pass of ready) {
      sorted.push(pass);
      for (const next of after.get(pass) as Pass[]) {
        missing.set(next, (missing.get(next) as number) - 1);
        if (missing.get(next) === 0) ready.push(next);
      }
    }
    const cycle = this.passes.filter((pass) => (missing.get(pass) as number) > 0);
    if (cycle.length > 0)
      throw new RuntimeError(`Circular dependency detected within the following passes: ${repr(cycle)}`);
    this.passes = sorted;
  }

  /** Runs the passes, as often as `steps` says or until none changes anything. */
  __call__(given: unknown): unknown {
    if (!this.validated) this.solve_constraints();
    let module = given;
    this.check(module);
    let overall = false;
    for (let step = 0; step < this.steps; step++) {
      let modified = false;
      for (const [i, pass] of this.passes.entries()) {
        const name = name_of_pass(pass);
        try {
          const res = call_function(pass, [module]);
          if (getattr_or_undefined(res, "graph_module") === undefined)
            throw new TypeError_(
              `The result of the pass ${name} should be type PassResult.Please wrap it with pass_result_wrapper()`,
            );
          module = getattr(res, "graph_module");
          modified ||= truth(getattr(res, "modified"));
          if (module instanceof GraphModule) module.recompile();
          if (this.run_checks_after_each_pass) this.check(module);
        } catch (error) {
          const before = this.passes.slice(0, i).map(name_of_pass);
          const wrapped = new Exception(
            `An error occurred when running the '${name}' pass after the following passes: ${repr(before)}`,
          );
          throw Object.assign(wrapped, { __cause__: error });
        }
      }
      overall ||= modified;
      if (!modified) break;
    }
    return pass_result(module, overall);
  }
}
