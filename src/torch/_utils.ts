/**
 * @file Names of values' types in messages that Python code of PyTorch prints.
 * @mirrors torch/_utils.py
 */
import { python_type, TensorBase, type_string } from "./_C.ts";

/** `torch.typename(value)`: `torch.FloatTensor` for a tensor. */
export function type_name(value: unknown): string {
  return value instanceof TensorBase
    ? type_string(value.cdata.scalar_type(), value.cdata.device())
    : python_type(value);
}

/** As `type_name`; with `"class"` Python's `<class 'int'>`. */
export function type_repr(value: unknown, form: "name" | "class" = "name"): string {
  return form === "class" ? `<class '${python_type(value)}'>` : type_name(value);
}
