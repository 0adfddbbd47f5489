/**
 * @file Names of values' types in messages that Python code of PyTorch prints.
 * @mirrors torch/_utils.py
 */
import { python_type, TensorBase, type_string } from "./_C.ts";

/** `module.name` of the class of an `nn.Module`: the library's classes say their module, a user's are those of a script. */
function class_of_module(value: object): string {
  const cls = value.constructor as { readonly name: string; readonly __module__?: string };
  return `${Object.hasOwn(cls, "__module__") ? cls.__module__ : "__main__"}.${cls.name}`;
}

/** `torch.typename(value)`: `torch.FloatTensor` for a tensor. */
export function type_name(value: unknown): string {
  if (value instanceof TensorBase) return type_string(value.cdata.scalar_type(), value.cdata.device());
  return typeof value === "function" && "_get_name" in value ? class_of_module(value) : python_type(value);
}

/** `torch.typename`: a class that says its module is named by it, as an object of it is. */
export function typename(obj: unknown): string {
  const { __module__, name } = (typeof obj === "function" ? obj : {}) as { __module__?: string; name?: string };
  return __module__ !== undefined && is_class(obj as object) ? `${__module__}.${name}` : type_name(obj);
}

/** As `type_name`; with `"class"` Python's `<class 'int'>`. */
export function type_repr(value: unknown, form: "name" | "class" = "name"): string {
  if (form === "name") return type_name(value);
  const name = value instanceof TensorBase ? python_type(value) : type_name(value);
  return `<class '${name === "Tensor" ? "torch.Tensor" : name}'>`;
}

/** Whether a function was written as a class, so that only `new` calls it. */
export function is_class(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
