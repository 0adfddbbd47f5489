/**
 * @file The kind of an operator, in a word and in a sentence.
 * @original
 */
import type { NativeFunction, NativeFunctionsGroup } from "../codegen/model.ts";
import { is_tensor_like } from "../codegen/types.ts";

export type OperatorKind =
  | "structured"
  | "kernel"
  | "view"
  | "factory"
  | "composite-explicit"
  | "composite-implicit"
  | "autogen";

export function takesTensor(f: NativeFunction): boolean {
  return f.func.arguments.flat_non_out.some((a) => is_tensor_like(a.type));
}

/** Whether it makes a tensor from no tensor, or like another one (`ones_like`, `new_ones`). */
function isFactory(f: NativeFunction): boolean {
  if (f.func.arguments.tensor_options === null) return false;
  return !takesTensor(f) || /_like$|^new_/.test(f.func.name.name.base);
}

export function kindOf(f: NativeFunction): OperatorKind {
  if (f.generated) return "autogen";
  if (isFactory(f)) return "factory";
  if (f.is_view_op) return "view";
  if (f.part_of_structured_group) return "structured";
  if (f.has_composite_implicit_autograd_kernel) return "composite-implicit";
  if (f.has_composite_explicit_autograd_kernel || f.has_composite_explicit_autograd_non_functional_kernel)
    return "composite-explicit";
  return "kernel";
}

export function sentenceOf(
  f: NativeFunction,
  kind: OperatorKind,
  group: NativeFunctionsGroup | null,
  hasKernel: boolean,
  hasAutograd: boolean,
): string {
  const what =
    f.func.kind() === "inplace"
      ? "It writes its result into the tensor it is called on. "
      : f.func.kind() === "out"
        ? "It writes its result into the tensor given as out. "
        : "";
  const composite = f.has_composite_implicit_autograd_kernel
    ? " It is composite: its one kernel calls other operators, which are recorded in its place."
    : "";
  switch (kind) {
    case "autogen":
      return `Nobody wrote it: codegen makes it, schema and kernel, from the \`autogen\` line of ${f.loc.line > 0 ? "its group" : "the YAML"}, so that the operator has every form.`;
    case "factory":
      return !takesTensor(f)
        ? "A factory: no argument is a tensor, so nothing carries a backend key; BackendSelect reads the device argument and goes on to that backend."
        : `A factory: it makes a tensor like another one.${composite}`;
    case "view":
      if (f.func.kind() === "inplace")
        return `It gives the tensor it is called on another shape, other strides, another storage or graph; no byte is written.${composite}`;
      return composite === ""
        ? "A view: the result shares the storage of its input, and ADInplaceOrView notes whose view it is."
        : `A view by its schema: the result may share the storage of its input.${composite}`;
    case "structured":
      return group?.out.ufunc_inner_loop.size
        ? `${what}Structured, from a scalar function: a person wrote the meta function and the arithmetic of one element; codegen makes the class, the stub's kernel and the three forms (functional, in-place, out).`
        : `${what}Structured: a meta function finds shape and dtype, an impl function computes; codegen makes the three forms (functional, in-place, out) from that one pair.`;
    case "composite-implicit":
      return `${what}Composite (CompositeImplicitAutograd): one kernel for every key, written in other operators. Autograd records those; there is no node of its own.`;
    case "composite-explicit":
      return `${what}Composite (CompositeExplicitAutograd): one kernel for every backend, called below autograd${hasAutograd ? ", which has its own kernel for it" : ""}.`;
    default:
      if (!hasKernel)
        return "Only backends that are not built here have a kernel for it in PyTorch; its schema and its autograd rows stand all the same.";
      return `${what}A kernel of its own for each backend, below autograd.`;
  }
}
