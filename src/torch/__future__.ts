/**
 * @file `torch.__future__`: how a conversion of a module, as `module.half()`, changes its parameters.
 * @mirrors torch/__future__.py
 */
import { PyObject_IsTrue } from "./_C.ts";
import { def } from "./_signature.ts";

let _overwrite_module_params_on_conversion = false;
let _swap_module_params_on_conversion = false;

/** Sets whether a conversion makes new parameters instead of changing `.data` of the old ones. */
export const set_overwrite_module_params_on_conversion = def(
  "set_overwrite_module_params_on_conversion(value)",
  (value: boolean): void => {
    _overwrite_module_params_on_conversion = PyObject_IsTrue(value);
  },
);

export const get_overwrite_module_params_on_conversion = def(
  "get_overwrite_module_params_on_conversion()",
  (): boolean => _overwrite_module_params_on_conversion,
);

/** Sets whether a conversion, and `load_state_dict`, swap each parameter with its new tensor: the object stays the same. */
export const set_swap_module_params_on_conversion = def(
  "set_swap_module_params_on_conversion(value)",
  (value: boolean): void => {
    _swap_module_params_on_conversion = PyObject_IsTrue(value);
  },
);

export const get_swap_module_params_on_conversion = def(
  "get_swap_module_params_on_conversion()",
  (): boolean => _swap_module_params_on_conversion,
);
