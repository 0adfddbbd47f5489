/**
 * @file Attributes that a `forward` assigns while it is exported: they are put back, and a warning names the tensors among them.
 * @mirrors torch/_functorch/_aot_autograd/frontend_utils.py#_detect_attribute_assignment
 */
import { warn } from "#c10/util/Exception";
import { repr } from "#python/Objects/object";
import { Tensor } from "#torch/_tensor/index";
import type { Module } from "#torch/nn/modules/module/index";

/** A value, with the containers in it copied: their elements may be replaced. */
const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied);
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, copied(item)])) : value;
};

type Attributes = Map<string, { readonly value: unknown; readonly copy: unknown }>;

function attributes_of(module: Module): Attributes {
  const found: Attributes = new Map();
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(module)) as [
    string,
    PropertyDescriptor,
  ][])
    if (!name.startsWith("_")) found.set(name, { value, copy: copied(value) });
  return found;
}

/** The places below `path` where a tensor stands that was not there before. */
function assigned(path: string, old: unknown, now: unknown): string[] {
  if (old === now) return [];
  if (now instanceof Tensor) return [path];
  if (Array.isArray(now))
    return now.flatMap((item, i) => assigned(`${path}[${i}]`, Array.isArray(old) ? old[i] : null, item));
  if (now instanceof Map)
    return [...now].flatMap(([key, item]) =>
      assigned(`${path}[${repr(key)}]`, old instanceof Map ? old.get(key) : null, item),
    );
  return [];
}

/** Runs `fn`; afterwards the module and its submodules have their attributes as before. */
export function with_module_attributes_restored<R>(root: Module, fn: () => R): R {
  const before = new Map(
    [...root.named_modules()].map(([path, module]) => [path, [module, attributes_of(module)] as const]),
  );
  try {
    return fn();
  } finally {
    const paths: string[] = [];
    for (const [path, [module, old]] of before) {
      const prefix = path === "" ? "self." : `self.${path}.`;
      for (const [name, { value, copy }] of attributes_of(module)) {
        const known = old.get(name);
        paths.push(...assigned(`${prefix}${name}`, known?.copy, known?.value === value ? copy : value));
        if (known === undefined) Reflect.deleteProperty(module, name);
      }
      for (const [name, { value, copy }] of old) {
        if (Array.isArray(value)) value.splice(0, value.length, ...(copy as unknown[]));
        if (Object.getOwnPropertyDescriptor(module, name)?.value !== value) Reflect.set(module, name, value);
      }
    }
    if (paths.length > 0) {
      const [noun, verb] = paths.length > 1 ? ["attributes", "were"] : ["attribute", "was"];
      warn(
        "UserWarning",
        `The tensor ${noun} ${paths.join(", ")} ${verb} assigned during export. Such attributes must be registered as buffers using the \`register_buffer\` API (https://pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.register_buffer).`,
      );
    }
  }
}
