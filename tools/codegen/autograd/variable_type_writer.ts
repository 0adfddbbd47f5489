/**
 * @file The writer of one operator's autograd kernel: it records the backward step and passes the call on.
 * @mirrors tools/autograd/gen_variable_type.py#emit_body
 */

import {
  by_name,
  type DifferentiabilityInfo,
  type DifferentiableOutput,
  gen_differentiable_outputs,
  has_derivatives,
  is_differentiable,
  is_foreach,
  return_names,
  type SavedAttribute,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument } from "../arguments.ts";
import { CodegenError } from "../errors.ts";
import { fill, try_finally } from "../layout.ts";
import type { NativeFunction } from "../model.ts";
import { is_list_like, is_nullable, is_tensor_like, type Type } from "../types.ts";
import { type FormulaContext, ForwardWriter } from "./variable_type_writer_forward.ts";
import { modifies_arguments, type_wrapper_name, type Views } from "./view_info.ts";

/** Base names of operators whose results never have gradients: they depend only on shape, or are integers or booleans. */
export const DONT_REQUIRE_DERIVATIVE = new Set([
  "empty_like",
  "ones_like",
  "full_like",
  "zeros_like",
  "rand_like",
  "randn_like",
  "new_empty",
  "new_empty_strided",
  "new_full",
  "new_zeros",
  "new_ones",
  "__and__",
  "__iand__",
  "__ilshift__",
  "__ior__",
  "__irshift__",
  "__ixor__",
  "__lshift__",
  "__or__",
  "__rshift__",
  "__xor__",
  "argmax",
  "argmin",
  "argsort",
  "searchsorted",
  "bucketize",
  "isnan",
  "isposinf",
  "isneginf",
  "isinf",
  "signbit",
  "record_stream",
  "isin",
  "allclose",
  "logical_and",
  "logical_xor",
  "logical_not",
  "logical_or",
]);
/** Operators after which a leaf has another storage or number of elements, so that its accumulator must not be used again. */
export const RESET_GRAD_ACCUMULATOR = new Set(["set_", "resize_"]);
export class KernelWriter {
  protected readonly f: NativeFunction;
  protected readonly info: DifferentiabilityInfo | null;
  private readonly key: string;
  protected readonly views: Views;
  protected readonly differentiable_inputs: readonly Argument[];
  protected readonly args_with_derivatives: readonly Argument[];
  protected readonly differentiable_outputs: readonly DifferentiableOutput[];
  protected readonly requires_derivative: boolean;
  protected readonly inplace: boolean;
  private readonly is_out_fn: boolean;

  protected readonly forward: ForwardWriter;

  constructor(
    f: NativeFunction,
    info: DifferentiabilityInfo | null,
    key: string,
    views: Views,
    formulas: FormulaContext,
  ) {
    this.f = f;
    this.info = info;
    this.key = key;
    this.views = views;
    this.inplace = f.func.kind() === "inplace";
    this.is_out_fn = f.func.is_out_fn();
    this.differentiable_inputs = f.func.arguments.flat_non_out.filter((a) =>
      is_differentiable(cpp.argument_name(a), a.type, info),
    );
    this.args_with_derivatives = this.find_args_with_derivatives();
    this.differentiable_outputs = this.writes_lists()
      ? f.func.arguments.flat_all.filter((a) => a.is_write).map((a) => ({ name: cpp.argument_name(a), type: a.type }))
      : gen_differentiable_outputs(f, info);
    const undifferentiable =
      DONT_REQUIRE_DERIVATIVE.has(f.func.name.name.base) || DONT_REQUIRE_DERIVATIVE.has(cpp.name(f.func));
    this.requires_derivative =
      !undifferentiable && this.differentiable_inputs.length > 0 && this.differentiable_outputs.length > 0;
    if (has_derivatives(info) && !this.requires_derivative && f.func.returns.length > 0)
      throw new CodegenError(
        info.place,
        "name",
        `the derivative of '${f.func.name}' would be ignored: no output is differentiable`,
        "drop the formula, or let an output be differentiable",
      );
    this.forward = new ForwardWriter(f, info, formulas, this.requires_derivative);
  }

  /** Whether it is like `_foreach_add_`, which returns nothing: its output is the list that it writes. */
  private writes_lists(): boolean {
    return this.inplace && is_foreach(this.f);
  }

  protected find_args_with_derivatives(): readonly Argument[] {
    const { info } = this;
    if (!has_derivatives(info)) return this.differentiable_inputs;
    const names = new Set(info.args_with_derivatives.map(cpp.argument_name));
    return this.differentiable_inputs.filter((a) => names.has(cpp.argument_name(a)));
  }

  write(): string {
    const { f } = this;
    const parameters = cpp.scattered_parameters(f.func).map((p) => `${p.name}: ${p.type}`);
    return [
      "",
      `function ${type_wrapper_name(f, this.key)}(${["ks: DispatchKeySet", ...parameters].join(", ")}): ${cpp.returns_type(f.func.returns)} {`,
      ...this.body().map((line) => (line === "" ? "" : `  ${line}`)),
      "}",
    ].join("\n");
  }

  private body(): string[] {
    const { f } = this;
    const body = this.unpack_args();
    if (this.requires_derivative) {
      if (this.is_out_fn) body.push(...this.check_none_requires_grad());
      else
        body.push(
          ...this.any_requires_grad(),
          ...this.forward.any_has_forward_grad(),
          ...this.check_inplace(),
          ...this.setup_derivative(),
        );
    }
    body.push(...this.call());
    if (this.is_out_fn) body.push(...this.forward.forbid_out());
    else if (this.requires_derivative) body.push(...this.history_and_outputs());
    if (RESET_GRAD_ACCUMULATOR.has(String(f.func.name.name))) body.push("reset_grad_accumulator(self);");
    const names = return_names(f);
    if (names.length > 0) body.push(`return ${names.length === 1 ? names[0] : `[${names.join(", ")}]`};`);
    return body;
  }

  private unpack_args(): string[] {
    const calls = this.f.func.arguments.flat_all.flatMap((a, i) => {
      // A list may contain undefined tensors; kernels decide what that means.
      if (!is_tensor_like(a.type) || is_nullable(a.type) || is_list_like(a.type) !== null) return [];
      return [`unpack(${cpp.argument_name(a)}, "${a.name}", ${i});`];
    });
    return fill(calls);
  }

  protected any_requires_grad(): string[] {
    const condition = this.info?.output_differentiability_condition ?? null;
    const any = compute_requires_grad(whole(this.args_with_derivatives));
    return [
      `const _any_requires_grad = ${any}${condition === null ? "" : ` && (${condition})`};`,
      ...this.check_lengths(),
    ];
  }

  /** Checks the lengths of lists; in PyTorch this is part of the search for forward gradients. */
  private check_lengths(): string[] {
    if (!is_foreach(this.f) || !has_derivatives(this.info)) return [];
    const [self, ...others] = this.args_with_derivatives;
    if (self?.name !== "self") return [];
    return others
      .filter((a) => is_list_like(a.type) !== null)
      .map((a) => `check_same_length(self, ${cpp.argument_name(a)});`);
  }

  /** Throws if a gradient is required: writes to a given tensor cannot be tracked. */
  private check_none_requires_grad(): string[] {
    const base = this.f.func.name.name.base;
    const outputs = this.differentiable_outputs.map(
      (o) => this.f.func.arguments.out.find((a) => cpp.argument_name(a) === o.name) as Argument,
    );
    return [this.differentiable_inputs, outputs].map(
      (args) => `if (${compute_requires_grad(whole(args))}) throw_error_out_requires_grad("${base}");`,
    );
  }

  protected check_inplace(): string[] {
    if (!this.inplace) return [];
    return this.differentiable_outputs.map(
      (o) => `check_inplace${is_list_like(o.type) === null ? "" : "_list"}(${o.name}, _any_requires_grad);`,
    );
  }

  protected setup_derivative(): string[] {
    const { info, f } = this;
    const op = has_derivatives(info) ? (info.op as string) : "NotImplemented";
    const create = has_derivatives(info) ? `new ${op}()` : `new NotImplemented("${cpp.name(f.func)}")`;
    return [
      ...this.check_no_requires_grad(),
      ...fill([
        `let grad_fn: ${op} | null = null;`,
        ...(this.saves_original_self() || this.forward.clones_original_self()
          ? ["let original_self: Tensor | null = null;"]
          : []),
      ]),
      ...this.forward.original_self(),
      "if (_any_requires_grad) {",
      `  grad_fn = ${create};`,
      `  grad_fn.set_next_edges(collect_next_edges(${this.args_with_derivatives.map(cpp.argument_name).join(", ")}));`,
      ...this.save_inputs().map((line) => `  ${line}`),
      "  if (tracer !== null) trace_node(grad_fn);",
      "}",
    ];
  }

  /** Throws if an input without a formula requires grad, because its gradient would silently be missing. */
  protected check_no_requires_grad(): string[] {
    return this.differentiable_inputs.flatMap((a) => {
      const name = cpp.argument_name(a);
      // A double backward may get the forward's output beside its input and differentiate only the input.
      if (this.args_with_derivatives.includes(a) || name === "output") return [];
      return [
        `check_no_requires_grad${is_list_like(a.type) === null ? "" : "_list"}(${name}, "${a.name}", "${cpp.name(this.f.func)}");`,
      ];
    });
  }

  /** Whether the original `self` must be cloned and saved: an in-place operator overwrites it, and the formula needs it. */
  protected saves_original_self(): boolean {
    return (
      this.inplace &&
      has_derivatives(this.info) &&
      this.info.all_saved_inputs.some((a) => a.name === "self" && a.kind !== "value")
    );
  }

  private save_inputs(): string[] {
    const { info } = this;
    if (!has_derivatives(info)) return [];
    return [
      ...by_name(info.all_saved_inputs).flatMap((a) => this.save_input(a, info)),
      ...this.args_with_derivatives
        .filter((a) => is_list_like(a.type) !== null)
        .map((a) => `grad_fn.${cpp.argument_name(a)}_size_ = ${cpp.argument_name(a)}.length;`),
    ];
  }

  private save_input(a: SavedAttribute, info: DifferentiabilityInfo): string[] {
    const guard = this.guard_for(a, info);
    const original = a.name === "self" && a.kind !== "value" && this.inplace;
    const statements = [
      ...(original ? ["original_self ??= self.clone();"] : []),
      `grad_fn.${save_statement(a, original ? "original_self" : a.expr, false)}`,
    ];
    if (guard === null) return statements;
    return statements.length === 1
      ? [`if (${guard}) ${statements[0]}`]
      : [`if (${guard}) {`, ...statements.map((s) => `  ${s}`), "}"];
  }

  /** The condition under which a tensor is saved: a tensor used by one gradient is saved only if that gradient is needed. */
  protected guard_for(a: SavedAttribute, info: DifferentiabilityInfo): string | null {
    const args = info.args_with_derivatives;
    if (args.some((x) => is_list_like(x.type) !== null)) return null; // slots are not known when the code is generated
    if (info.name.includes("backward") || args.length <= 1 || a.kind !== "tensor") return null;
    const used_in = info.derivatives.filter((d) => d.saved_inputs.some((s) => s.name === a.name));
    const derivative = used_in[0];
    if (used_in.length !== 1 || derivative === undefined) return null;
    if (derivative.var_names.length > 1) {
      const condition = new RegExp(`wrap_opt_if\\(${a.name},(.*?)\\)`).exec(derivative.formula)?.[1];
      return condition?.trim().replace(/grad_input_mask\[(\d+)\]/g, "grad_fn.should_compute_output($1)") ?? null;
    }
    const slot = args.findIndex((x) => cpp.argument_name(x) === derivative.var_names[0]);
    return `grad_fn.should_compute_output(${slot})`;
  }

  private call(): string[] {
    const { f } = this;
    const passes_writes = modifies_arguments(f) || this.views.info(f) !== null;
    const guard = passes_writes ? "AutoDispatchBelowAutograd" : "AutoDispatchBelowADInplaceOrView";
    const args = ["ks.and(after_autograd_keyset)", ...f.func.arguments.flat_all.map(cpp.argument_name)];
    const call = `_ops.${f.func.name.unambiguous_name()}.redispatch(${args.join(", ")})`;
    const names = return_names(f);
    const keeps = !modifies_arguments(f) && names.length > 0;
    const declare =
      names.length === 1
        ? `let ${names[0]}: ${cpp.returns_type(f.func.returns)};`
        : `let ${names.map((n, i) => `${n}: ${cpp.ts_type(f.func.returns[i].type)}`).join(", ")};`;
    const assign = names.length === 1 ? `${names[0]} = ${call};` : `[${names.join(", ")}] = ${call};`;
    const guarded = [`const guard = new ${guard}();`, ...try_finally(keeps ? assign : `${call};`, "guard.restore();")];
    const decomposed = keeps ? this.forward.decomposition() : null;
    if (decomposed !== null)
      return [
        declare,
        `if (${decomposed.condition}) {`,
        `  ${names.length === 1 ? names[0] : `[${names.join(", ")}]`} = ${decomposed.call};`,
        "} else {",
        ...guarded.map((line) => `  ${line}`),
        "}",
      ];
    return [...(keeps ? [declare] : []), ...guarded];
  }

  /** `rebase_history` after a write; an in-place view operator only makes `self` another view. */
  protected history_and_outputs(): string[] {
    const { f, info } = this;
    const fn = modifies_arguments(f) && this.views.info(f) === null ? "rebase" : "set";
    const outputs = this.differentiable_outputs;
    const plain = outputs.length === 1 && is_list_like(outputs[0].type) === null;
    const flat = plain ? outputs[0].name : `flatten_tensor_args(${outputs.map((o) => o.name).join(", ")})`;
    const history = `${fn}_history${plain || fn === "set" ? "" : "_list"}(${flat}, grad_fn);`;
    const saves = has_derivatives(info)
      ? by_name(info.all_saved_outputs).map(
          (a) =>
            `grad_fn.${save_statement(a, this.inplace && a.name === "result" ? "self" : a.expr.replace(/\bresult\b/, this.inplace ? "self" : "result"), true, this.inplace)}`,
        )
      : [];
    // An output is saved with its tangent, so the tangent is computed before.
    const tangents = this.forward.derivatives();
    if (tangents.length === 0) return if_grad_fn([history, ...saves]);
    return [...if_grad_fn([history]), ...tangents, ...(saves.length === 0 ? [] : if_grad_fn(saves))];
  }
}

function if_grad_fn(statements: readonly string[]): string[] {
  return statements.length === 1
    ? [`if (grad_fn !== null) ${statements[0]}`]
    : ["if (grad_fn !== null) {", ...statements.map((s) => `  ${s}`), "}"];
}

/** `is_view()`: the result of an in-place operator on a view has history that is not only this node's. */
export function save_statement(a: SavedAttribute, value: string, is_output: boolean, inplace = false): string {
  if (a.kind === "value") return `${a.name} = ${value};`;
  if (a.kind === "tensor" || a.kind === "optional_tensor")
    return `${a.name}_ = new SavedVariable(${value}, ${is_output}${is_output && inplace ? `, ${value}.is_view()` : ""});`;
  return `${a.name}_ = make_saved_variable_list(${value}${is_output ? ", true" : ""});`;
}

/** Largest number of tensors that `compute_requires_grad` takes; more are passed as a list. */
const MOST_TENSORS = 6;

/** One call for the tensors, then one call per list. */
export function compute_requires_grad(values: readonly { readonly text: string; readonly type: Type }[]): string {
  const tensors = values.filter((v) => is_list_like(v.type) === null).map((v) => v.text);
  const lists = values.filter((v) => is_list_like(v.type) !== null).map((v) => `compute_requires_grad_list(${v.text})`);
  const n = tensors.length;
  const call =
    n > MOST_TENSORS
      ? `compute_requires_grad_list([${tensors.join(", ")}])`
      : `compute_requires_grad${n > 2 ? "" : n}(${tensors.join(", ")})`;
  return [...(n > 0 ? [call] : []), ...lists].join(" || ") || "false";
}

export function whole(args: readonly Argument[]): { text: string; type: Type }[] {
  return args.map((a) => ({ text: cpp.argument_name(a), type: a.type }));
}
