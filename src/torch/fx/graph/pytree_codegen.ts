/**
 * @file `_PyTreeCodeGen`: the code of a graph whose arguments or value are nested containers.
 * @mirrors torch/fx/graph.py#_PyTreeCodeGen
 */

import { repr } from "#python/Objects/object";
import { def_methods } from "#torch/_signature";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { dict_class, tuple_class } from "#torch/utils/_pytree/registry";
import { call_function } from "../callables.ts";
import { CodeGen } from "./codegen.ts";

export class _PyTreeCodeGen extends CodeGen {
  static override readonly __module__ = "torch.fx.graph";
  static {
    def_methods(_PyTreeCodeGen, {
      gen_fn_def: "(self, free_vars, maybe_return_annotation, *, expanded_def=False)",
      generate_output: "(self, output_args: object, *, descs=None, repr_fn=None)",
    });
  }

  readonly orig_args: string[];
  readonly in_spec: TreeSpec;
  out_spec: TreeSpec | null;

  constructor(orig_args: string[], in_spec: TreeSpec, out_spec: TreeSpec | null) {
    super();
    this.orig_args = orig_args;
    this.in_spec = in_spec;
    this.out_spec = out_spec;
  }

  /** The names of the parameters and the structures of arguments and value. */
  get pytree_info(): { readonly orig_args: string[]; readonly in_spec: TreeSpec; readonly out_spec: TreeSpec | null } {
    return this;
  }

  override process_inputs(...inputs: unknown[]): unknown {
    return inputs.flatMap((input) => flatten(input)[0]);
  }

  override process_outputs(outputs: unknown): unknown {
    if (this.out_spec === null) return outputs;
    return this.out_spec.unflatten(Array.isArray(outputs) ? outputs : [outputs]);
  }

  override gen_fn_def(free_vars: string[], maybe_return_annotation: string, expanded_def: boolean): string {
    const { orig_args } = this;
    if (orig_args[0] === "self") free_vars.unshift("self");
    const head = this.head([...orig_args], maybe_return_annotation, { expanded_def });
    if (free_vars.length === 0) return head;
    return head + this.annotations(free_vars, expanded_def) + this.bindings(free_vars);
  }

  private head(...args: unknown[]): string {
    return (super.gen_fn_def as (...args: unknown[]) => string).apply(this, args);
  }

  private annotations(free_vars: readonly string[], expanded_def: boolean): string {
    const annotated = free_vars.filter((x) => x.includes(":"));
    if (annotated.length === 0) return "";
    return expanded_def ? `\n    ${annotated.join("\n    ")}` : `\n    ${annotated.map((x) => `${x}; `).join("")}\n`;
  }

  /** The statement that takes the arguments apart. */
  private bindings(free_vars: readonly string[]): string {
    const { in_spec, orig_args } = this;
    let signature = `[${orig_args.join(", ")}], self._in_spec`;
    if (
      in_spec.type === tuple_class &&
      in_spec.num_children === 2 &&
      in_spec.child(0).type === tuple_class &&
      in_spec.child(1).type === dict_class
    ) {
      const count = in_spec.child(0).num_children;
      const keys = in_spec.child(1).context as string[];
      const kwargs = keys.map((k, i) => `'${k}':${orig_args[count + i]}`);
      signature = `([${orig_args.slice(0, count).join(", ")}], {${kwargs.join(", ")}}), self._in_spec`;
    }
    const names = free_vars.map((x) => (x.split(":")[0] as string).split("#")[0]);
    return `\n    ${names.join(", ")}, = fx_pytree.tree_flatten_spec(${signature})`;
  }

  override generate_output(output_args: unknown, descs: unknown, repr_fn: unknown): string {
    if (this.out_spec === null)
      return (super.generate_output as (...args: unknown[]) => string).call(this, output_args, { descs, repr_fn });
    const value = repr_fn === null ? repr(output_args) : String(call_function(repr_fn, [output_args]));
    return `return pytree.tree_unflatten(${value}, self._out_spec)`;
  }
}
