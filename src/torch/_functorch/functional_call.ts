/**
 * @file Modules as functions of their parameters.
 * @mirrors torch/_functorch/functional_call.py
 * @see nn/utils/stateless.ts, whose rule tells options from the module's keyword arguments
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { isDict, repr } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import type { ModuleList } from "#torch/nn/modules/container/index";
import type { Module } from "#torch/nn/modules/module/index";
import { _functional_call, entries_of, type Options, type TensorDict } from "#torch/nn/utils/stateless";

function is_dict(value: unknown): value is TensorDict {
  return value instanceof Map || isDict(value);
}

/** Joins several dictionaries; a key may occur in only one of them. */
function joined(dicts: unknown): TensorDict {
  if (is_dict(dicts)) return dicts;
  if (!Array.isArray(dicts))
    throw new ValueError(
      `Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got ${type_repr(dicts, "class")}`,
    );
  if (!dicts.every(is_dict))
    throw new ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries");
  const all = dicts.flatMap(entries_of);
  const keys = all.map(([key]) => key);
  const repeated_keys = [...new Set(keys.filter((key, i) => keys.indexOf(key) !== i))];
  if (repeated_keys.length > 0)
    throw new ValueError(
      `[${repeated_keys.map(repr).join(", ")}] appeared in multiple dictionaries; behavior of functional call is ambiguous`,
    );
  return new Map(all);
}

/**
 * Calls `module` with the given tensors in place of its parameters and buffers, which are restored afterwards.
 * @param parameter_and_buffer_dicts tensors by dotted name, or several such dictionaries
 * @param args an array of arguments, or one argument
 * @param kwargs the module's keyword arguments
 * @param tie_weights whether a tied parameter is given by one of its names
 * @param strict whether exactly all parameters and buffers must be given
 */
export const functional_call = def(
  "functional_call(module, parameter_and_buffer_dicts: dict, args=None, kwargs: dict=None, *, tie_weights=True, strict=False)",
  (
    module: Module,
    parameter_and_buffer_dicts: TensorDict | readonly TensorDict[],
    args: unknown,
    ...options: Options
    // biome-ignore lint/suspicious/noExplicitAny: only the module's class knows the type of its result
  ): any => _functional_call(module, joined(parameter_and_buffer_dicts), args, ...options),
);

type Stacked = Record<string, Tensor>;

/** The parameters of all models, stacked along a new first dim, and the buffers in the same way. */
export const stack_module_state = def(
  "stack_module_state(models)",
  (given: readonly Module[] | ModuleList): [params: Stacked, buffers: Stacked] => {
    const models = [...given];
    if (models.length === 0) throw new RuntimeError("stack_module_state: Expected at least one model, got 0.");
    if (models.some((m) => m.training !== models[0].training))
      throw new RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.");
    if (models.some((m) => m.constructor !== models[0].constructor))
      throw new RuntimeError("stack_module_state: Expected all models to be of the same class.");
    const stacked = (members: readonly ReadonlyMap<string, Tensor>[]): Stacked =>
      Object.fromEntries(
        [...members[0].keys()].map((k) => [
          k,
          construct_stacked_leaf(
            members.map((m) => m.get(k) as Tensor),
            k,
          ),
        ]),
      );
    return [
      stacked(models.map((m) => new Map<string, Tensor>(m.named_parameters()))),
      stacked(models.map((m) => new Map(m.named_buffers()))),
    ];
  },
);

function construct_stacked_leaf(tensors: readonly Tensor[], name: string): Tensor {
  const requires_grad = tensors[0].requires_grad;
  if (tensors.some((t) => t.requires_grad !== requires_grad))
    throw new RuntimeError(`Expected ${name} from each model to have the same .requires_grad`);
  const result = torch.stack([...tensors]);
  return requires_grad ? result.detach().requires_grad_() : result;
}
