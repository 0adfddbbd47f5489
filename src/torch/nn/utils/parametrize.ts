/**
 * @file Parametrizations: `module.weight` as a function of other tensors, computed anew whenever it is read.
 * @mirrors torch/nn/utils/parametrize.py
 *
 * Note [A class for a parametrized module]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A property belongs to a class, not to an object. So a module's first parametrization gives it a class of its own, under its former one;
 * `Linear` becomes `ParametrizedLinear`. The tensor is taken off the module, and a property of the same name put on that class: reading
 * it runs the parametrizations, assigning to it goes through their inverses. With the last parametrization the class goes, too.
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
/** The tensors that were computed inside `cached`, by the module that was parametrized and the tensor's name. */
let _cache = new Map<Module, Map<string, Tensor>>();

/** Inside, a parametrized tensor is computed when it is read first, and kept. */
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

/** A module's class, as an object that may get properties. */
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
      // A Parameter would be registered, beside the property: `Module.__setattr__` refuses.
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

/** What stands in messages for a tensor's dtype or shape. */
function said(t: Tensor, what: Of): string {
  return what === "dtype" ? String(t.dtype) : size_repr(t.shape);
}

/** Whether `parametrization` may come behind those that are there: neither it nor its inverse may change dtype or shape. */
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
 * Makes `module[tensor_name]` what `parametrization` makes of it; the trained tensor is `module.parametrizations[tensor_name].original`.
 * If the parametrization has `right_inverse`, that is what the original begins with, and what assigning to the tensor goes through.
 * @param unsafe whether dtype and shape may change
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

/** Whether the module has a parametrized tensor, or one of this name. */
export const is_parametrized = def(
  "is_parametrized(module, tensor_name=None)",
  (module: Module, tensor_name: string | null): boolean => {
    const parametrizations = hasattr(module, "parametrizations") ? attribute(module, "parametrizations") : null;
    if (!(parametrizations instanceof ModuleDict)) return false;
    return tensor_name === null ? parametrizations.__len__() > 0 : parametrizations.__contains__(tensor_name);
  },
);

/** What is left on the module: the parametrized value, or the original. */
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

/** Takes all parametrizations off a tensor; it keeps the value they gave it, or, without `leave_parametrized`, the original. */
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

/** Gives `to_module` the parametrizations of `from_module`, of one tensor or of all, and the originals. */
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
