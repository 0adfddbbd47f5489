/**
 * @file Type names in messages that PyTorch's Python code prints.
 * @mirrors torch/_utils.py
 */
import { class_name, is_of_another_copy, python_type, TensorBase, type_string } from "#torch/_C";

/** `torch.typename(value)`: `torch.FloatTensor` for a tensor. */
export function type_name(value: unknown): string {
  if (value instanceof TensorBase) return type_string(value.cdata.scalar_type(), value.cdata.device());
  if (typeof value !== "function" || !("_get_name" in value)) return python_type(value);
  const name = class_name(value.constructor);
  return is_of_another_copy(value) ? `${name} of another copy of glasstorch` : name;
}

/** `torch.typename(obj)`: a class has the same name as its instances. */
export function typename(obj: unknown): string {
  return typeof obj === "function" && is_class(obj) ? class_name(obj) : type_name(obj);
}

/** Like `type_name`; with form `"class"`, Python's `<class 'int'>`. */
export function type_repr(value: unknown, form: "name" | "class" = "name"): string {
  if (form === "name") return type_name(value);
  const name = value instanceof TensorBase ? python_type(value) : type_name(value);
  return `<class '${name === "Tensor" ? "torch.Tensor" : name}'>`;
}

/** Whether a function was declared as a class, so that it can only be called with `new`. */
export function is_class(value: object): boolean {
  return (
    /^class\b/.test(Function.prototype.toString.call(value)) ||
    Object.getOwnPropertySymbols(value).some((symbol) => symbol.description === "python.info") // a class of a Python program
  );
}
