/**
 * @file Conversion of the engine's tensor to its Python object: always the same one.
 * @mirrors torch/csrc/autograd/python_variable.cpp#THPVariable_Wrap
 */
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { kWrap, type TensorBase, THPVariableClass, type THPVariableType, tp_alloc } from "./type.ts";

/** None for an undefined tensor; the existing object if there is one, else a new one. */
export function THPVariable_Wrap(var_: AtTensor): TensorBase | null {
  const impl = var_.impl_;
  const obj = impl.check_pyobj();
  if (obj !== null) return obj as TensorBase;
  if (!var_.defined()) return null;
  const made = new tp_alloc(var_);
  impl.init_pyobj(made);
  return made;
}

/** Makes an object of class `type` for a tensor that has none yet. As in Python, the class's own constructor does not run. */
export function THPVariable_NewWithVar<T extends TensorBase>(type: THPVariableType<T>, var_: AtTensor): T {
  return Reflect.construct(THPVariableClass, [kWrap, var_], type) as T;
}
