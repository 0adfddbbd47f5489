/**
 * @file Conversion of the engine's tensor to its Python object: always the same one.
 * @mirrors torch/csrc/autograd/python_variable.cpp#THPVariable_Wrap
 */
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { check_has_torch_dispatch } from "#torch/csrc-equivalent/utils/disable_torch_function";
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

/**
 * Makes an object of class `type` for a tensor that has none yet. As in Python, the class's own constructor does not run.
 * Calls with a tensor whose class has a `__torch_dispatch__` go there.
 */
export function THPVariable_NewWithVar<T extends TensorBase>(type: THPVariableType<T>, var_: AtTensor): T {
  const present = var_.impl_.check_pyobj();
  if (present instanceof type) return present; // the class's own handler made it
  TORCH_CHECK(
    present === null,
    "Creating a new Tensor subclass ",
    type.name,
    " but the raw Tensor object is already associated to a python object of type ",
    present?.constructor.name,
  );
  if (check_has_torch_dispatch(type)) var_.impl_.set_python_dispatch(true);
  return Reflect.construct(THPVariableClass, [kWrap, var_], type) as T;
}
