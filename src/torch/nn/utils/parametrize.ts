/**
 * @file Parametrizations: `module.weight` as a function of other tensors, computed each time it is read.
 * @mirrors torch/nn/utils/parametrize.py
 *
 * Note [A class for a parametrized module]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A property belongs to a class, not to an object. Therefore the first parametrization of a module gives the module a class of its own, a
 * subclass of its former class: `Linear` becomes `ParametrizedLinear`. The tensor is removed from the module, and the new class gets a
 * property of the same name. Reading it runs the parametrizations; assigning to it runs their inverses. When the last parametrization is
 * removed, the module gets its former class back.
 */
import { NotImplementedError, ValueError } from "#c10/util/Exception";
import { AbstractContextManager, having, python_type } from "#torch/_C";
import { size_repr } from "#torch/_prims_common/index";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { ModuleDict } from "#torch/nn/modules/container/index";
import { attribute, hasattr } from "#torch/nn/modules/module/attributes";
import type { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { def_context } from "#torch/utils/_contextlib";
import {
  _maybe_set,
  _register_parameter_or_buffer,
  has_right_inverse,
  ParametrizationList,
} from "./parametrization_list.ts";

export { ParametrizationList } from "./parametrization_list.ts";

let _cache_enabled = 0;
/** The tensors computed inside `cached`, by parametrized module and tensor name. */
let _cache = new Map<Module, Map<string, Tensor>>();

/** Inside this context, a parametrized tensor is computed when it is first read, and then reused. */
export const cached = def_context(
  "cached()",
  class cached extends AbstractContextManager {
    override __enter__(): void {
      _cache_enabled++;
    }

    override __exit__(): void {
      if (--_cache_enabled === 0) _cache = new Map();
    }
  },
);

/** The class of a module, as an object on which properties can be defined. */
type ModuleClass = { new (...args: unknown[]): Module; readonly prototype: Module };

function class_of(module: Module): ModuleClass {
  return module.constructor as ModuleClass;
}

function set_class(module: Module, cls: ModuleClass): void {
  Object.setPrototypeOf(module, cls.prototype);
}

/** The class that `cls` extends. */
function base_of(cls: ModuleClass): ModuleClass {
  return (Object.getPrototypeOf(cls.prototype) as Module).constructor as ModuleClass;
}

function _inject_new_class(module: Module): void {
  const cls = class_of(module);
  const param_cls = class extends cls {
    static readonly __module__: string = "torch.nn.utils.parametrize";
  };
  Object.defineProperty(param_cls, "name", { value: `Parametrized${cls.name}` });
  set_class(module, param_cls);
}

function _inject_property(module: Module, tensor_name: string): void {
  const get_cached = (parametrization: Module): Tensor => {
    const of_module = _cache.get(module) ?? new Map<string, Tensor>();
    _cache.set(module, of_module);
    const tensor = of_module.get(tensor_name) ?? (parametrization() as Tensor);
    of_module.set(tensor_name, tensor);
    return tensor;
  };
  Object.defineProperty(class_of(module).prototype, tensor_name, {
    configurable: true,
    get(this: Module): Tensor {
      const parametrization = parametrizations_of(this).__getitem__(tensor_name);
      return _cache_enabled > 0 ? get_cached(parametrization) : parametrization();
    },
    set(this: Module, value: unknown) {
      // `Module.__setattr__` refuses a Parameter here, which would be registered besides the property.
      if (value instanceof Parameter) this.register_parameter(tensor_name, value);
      else list_of(this, tensor_name).right_inverse(value);
    },
  });
}

function parametrizations_of(module: Module): ModuleDict {
  return attribute(module, "parametrizations") as ModuleDict;
}

function list_of(module: Module, tensor_name: string): ParametrizationList {
  return parametrizations_of(module).__getitem__(tensor_name) as ParametrizationList;
}

type Of = "dtype" | "shape";

/** The dtype or shape of a tensor as it appears in messages. */
function said(t: Tensor, what: Of): string {
  return what === "dtype" ? String(t.dtype) : size_repr(t.shape);
}

/** Checks that `parametrization` can be appended: neither it nor its inverse may change dtype or shape. */
function check_added(module: Module, tensor_name: string, parametrization: Module): void {
  const Y = attribute(module, tensor_name) as Tensor;
  const X: unknown = parametrization(Y);
  if (!(X instanceof Tensor)) throw new ValueError(`A parametrization must return a tensor. Got ${python_type(X)}.`);
  for (const what of ["dtype", "shape"] as const) {
    if (said(X, what) !== said(Y, what))
      throw new ValueError(
        `Registering a parametrization may not change the ${what} of the tensor, unless the \`unsafe\` flag is enabled.\nmodule.${tensor_name}.${what}: ${said(Y, what)}\nparametrization(module.${tensor_name}).${what}: ${said(X, what)}`,
      );
  }
  if (!has_right_inverse(parametrization)) return;
  let Z: unknown;
  try {
    Z = parametrization.right_inverse(X);
  } catch (error) {
    if (error instanceof NotImplementedError) return;
    throw error;
  }
  if (!(Z instanceof Tensor))
    throw new ValueError(`parametrization.right_inverse must return a tensor. Got: ${python_type(Z)}`);
  for (const what of ["dtype", "shape"] as const) {
    if (said(Z, what) !== said(Y, what))
      throw new ValueError(
        `The tensor returned by parametrization.right_inverse must have the same ${what} as module.${tensor_name}, unless the \`unsafe\` flag is enabled.\nmodule.${tensor_name}.${what}: ${said(Y, what)}\nreturned ${what}: ${said(Z, what)}`,
      );
  }
}

/**
 * Makes `module[tensor_name]` the output of `parametrization`; the trained tensor is `module.parametrizations[tensor_name].original`.
 * If the parametrization has `right_inverse`, it computes the initial original, and it runs when a value is assigned to the tensor.
 * @param unsafe whether the parametrization may change dtype and shape
 */
export const register_parametrization = def(
  "register_parametrization(module, tensor_name, parametrization, *, unsafe=False)",
  <M extends Module>(module: M, tensor_name: string, parametrization: Module, unsafe: boolean): M => {
    parametrization.train(module.training);
    if (is_parametrized(module, tensor_name)) {
      if (!unsafe) check_added(module, tensor_name, parametrization);
      const list = list_of(module, tensor_name);
      list.append(parametrization);
      list.unsafe ||= unsafe;
    } else if (having(module, "_buffers")._buffers.has(tensor_name) || module._parameters.has(tensor_name)) {
      const original = attribute(module, tensor_name) as Tensor;
      const parametrizations = new ParametrizationList([parametrization], original, { unsafe });
      module.__delattr__(tensor_name);
      if (!is_parametrized(module)) {
        _inject_new_class(module);
        module.__setattr__("parametrizations", new ModuleDict());
      }
      _inject_property(module, tensor_name);
      parametrizations_of(module).__setitem__(tensor_name, parametrizations);
    } else {
      throw new ValueError(
        `Module '${module}' does not have a parameter, a buffer, or a parametrized element with name '${tensor_name}'`,
      );
    }
    return module;
  },
);

/** Whether the module has a parametrized tensor, or one with this name. */
export const is_parametrized = def(
  "is_parametrized(module, tensor_name=None)",
  (module: Module, tensor_name: string | null): boolean => {
    const parametrizations = hasattr(module, "parametrizations") ? attribute(module, "parametrizations") : null;
    if (!(parametrizations instanceof ModuleDict)) return false;
    return tensor_name === null ? parametrizations.__len__() > 0 : parametrizations.__contains__(tensor_name);
  },
);

/** The tensor that remains on the module: the parametrized value, or the original. */
function tensor_left(module: Module, tensor_name: string, leave_parametrized: boolean): Tensor {
  const { is_tensor, original } = list_of(module, tensor_name);
  if (is_tensor) {
    if (leave_parametrized) torch.no_grad(() => _maybe_set(original, attribute(module, tensor_name) as Tensor));
    return original;
  }
  if (!leave_parametrized)
    throw new ValueError(
      "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of tensors.",
    );
  const t = attribute(module, tensor_name) as Tensor;
  return t.requires_grad ? new Parameter(t) : t;
}

/** Removes all parametrizations of a tensor; it keeps their last value or, without `leave_parametrized`, the original. */
export const remove_parametrizations = def(
  "remove_parametrizations(module, tensor_name, leave_parametrized=True)",
  <M extends Module>(module: M, tensor_name: string, leave_parametrized: boolean): M => {
    if (!is_parametrized(module, tensor_name))
      throw new ValueError(`Module ${module} does not have a parametrization on ${tensor_name}`);
    const tensor = tensor_left(module, tensor_name, leave_parametrized);
    Reflect.deleteProperty(class_of(module).prototype, tensor_name);
    parametrizations_of(module).__delitem__(tensor_name);
    _register_parameter_or_buffer(module, tensor_name, tensor);
    if (!is_parametrized(module)) {
      module.__delattr__("parametrizations");
      set_class(module, base_of(class_of(module)));
    }
    return module;
  },
);

/** The class that the module had before its first parametrization. */
export const type_before_parametrizations = def(
  "type_before_parametrizations(module)",
  (module: Module): ModuleClass => (is_parametrized(module) ? base_of(class_of(module)) : class_of(module)),
);

/** Registers the parametrizations of `from_module` (of one tensor, or of all) on `to_module`, and gives it the original tensors. */
export const transfer_parametrizations_and_params = def(
  "transfer_parametrizations_and_params(from_module, to_module, tensor_name=None)",
  <M extends Module>(from_module: Module, to_module: M, tensor_name: string | null): M => {
    if (!is_parametrized(from_module)) return to_module;
    const names = tensor_name === null ? [...parametrizations_of(from_module).keys()] : [tensor_name];
    for (const name of names) {
      if (!hasattr(to_module, name)) to_module.__setattr__(name, new Parameter(attribute(from_module, name) as Tensor));
      const from = list_of(from_module, name);
      for (const param_func of from) register_parametrization(to_module, name, param_func);
      const to = list_of(to_module, name);
      const originals = [...from._parameters.keys(), ...from._buffers.keys()];
      for (const original of originals) to.__setattr__(original, attribute(from, original));
    }
    return to_module;
  },
);
