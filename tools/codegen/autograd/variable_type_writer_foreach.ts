/**
 * @file The writer of the autograd kernel of an in-place operator on lists: every tensor gets the node of the operator
 * on one tensor.
 * @mirrors tools/autograd/gen_variable_type.py#emit_body
 */

import { by_name, type DifferentiabilityInfo, has_derivatives, type SavedAttribute } from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument } from "../arguments.ts";
import type { Type } from "../types.ts";
import { arguments_of_reference, in_terms_of, item } from "./foreach_derivatives.ts";
import { compute_requires_grad, KernelWriter, save_statement } from "./variable_type_writer.ts";

export class ForeachInplaceWriter extends KernelWriter {
  protected override find_args_with_derivatives(): readonly Argument[] {
    const { info } = this;
    if (!has_derivatives(info)) return this.differentiable_inputs;
    const here = arguments_of_reference(this.f, info.func);
    return info.args_with_derivatives.map((a) => here.get(cpp.argument_name(a)) as Argument);
  }

  protected override check_inplace(): string[] {
    return []; // it is done for each tensor, where nodes are made
  }

  protected override setup_derivative(): string[] {
    const { info } = this;
    const op = has_derivatives(info) ? (info.op as string) : "NotImplemented";
    const create = has_derivatives(info) ? `new ${op}()` : `new NotImplemented("${cpp.name(this.f.func)}")`;
    const items = this.items();
    const saves = this.save_items();
    return [
      ...this.check_no_requires_grad(),
      `const grad_fns: (${op} | null)[] = [];`,
      ...(this.saves_original_self() || this.forward.clones_original_self()
        ? ["const original_selfs: Tensor[] = [];"]
        : []),
      ...this.forward.original_self(),
      "if (_any_requires_grad) {",
      "  for (let i = 0; i < self.length; i++) {",
      `    const ith_requires_grad = ${compute_requires_grad(items)};`,
      "    check_inplace(self[i], ith_requires_grad);",
      `    grad_fns[i] = ith_requires_grad ? ${create} : null;`,
      `    grad_fns[i]?.set_next_edges(collect_next_edges(${items.map((x) => x.text).join(", ")}));`,
      "  }",
      ...each_node([...saves, "if (tracer !== null) trace_node(grad_fn);"]).map((line) => `  ${line}`),
      "}",
    ];
  }

  protected override history_and_outputs(): string[] {
    const saved = has_derivatives(this.info) ? by_name(this.info.all_saved_outputs) : [];
    return [
      ...each_node(["rebase_history(self[i], grad_fn);"]),
      ...this.forward.derivatives(),
      ...(saved.length === 0 ? [] : each_node(saved.map((a) => `grad_fn.${save_statement(a, "self[i]", true, true)}`))),
    ];
  }

  /** The i-th element of every differentiable argument; without formulas, PyTorch divides only `self`. */
  private items(): { text: string; type: Type }[] {
    const apart = has_derivatives(this.info);
    return this.args_with_derivatives.map((a) => {
      const name = cpp.argument_name(a);
      if (a.type.kind !== "list" || !(apart || name === "self")) return { text: name, type: a.type };
      return { text: item(name, a.type), type: a.type.elem };
    });
  }

  private save_items(): string[] {
    const { info } = this;
    if (!has_derivatives(info)) return [];
    return by_name(info.all_saved_inputs).flatMap((a) => {
      const original = a.name === "self" && a.kind !== "value";
      const value = original ? "original_selfs[i]" : this.value(a);
      const save = `grad_fn.${save_statement(a, value, false)}`;
      const guard = this.guard_for(a, info);
      const statements = [...(original ? ["original_selfs[i] ??= self[i].clone();"] : []), save];
      if (guard === null) return statements;
      return statements.length === 1
        ? [`if (${guard}) ${save}`]
        : [`if (${guard}) {`, ...statements.map((x) => `  ${x}`), "}"];
    });
  }

  /** The value that the i-th node stores. */
  private value(a: SavedAttribute): string {
    return in_terms_of(a.expr, arguments_of_reference(this.f, (this.info as DifferentiabilityInfo).func));
  }
}

function each_node(statements: readonly string[]): string[] {
  return [
    "for (const [i, grad_fn] of grad_fns.entries()) {",
    "  if (grad_fn === null) continue;",
    ...statements.map((line) => `  ${line}`),
    "}",
  ];
}
