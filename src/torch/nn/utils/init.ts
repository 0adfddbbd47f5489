/**
 * @file `skip_init`, which creates a module without initializing its parameters.
 * @mirrors torch/nn/utils/init.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { def, signature } from "#torch/_signature";
import { type_repr } from "#torch/_utils/index";
import { Module } from "#torch/nn/modules/module/index";

type ModuleClass<M extends Module> = new (...args: never[]) => M;

function is_module_class(cls: unknown): boolean {
  return typeof cls === "function" && (cls === Module || cls.prototype instanceof Module);
}

/** `new module_cls(...args)` created on `meta` and then moved: the memory of its parameters stays uninitialized. */
export const skip_init = def(
  "skip_init(module_cls, *args, **kwargs)",
  <M extends Module>(module_cls: ModuleClass<M>, args: unknown[], kwargs: Readonly<Record<string, unknown>>): M => {
    if (!is_module_class(module_cls))
      throw new RuntimeError(`Expected a Module; got ${type_repr(module_cls, "class")}`);
    if (!signature(module_cls)?.parameters.some(({ name }) => name === "device"))
      throw new RuntimeError("Module must support a 'device' arg to skip initialization");
    const make = module_cls as new (...args: unknown[]) => M;
    const { device = "cpu", ...others } = kwargs;
    return new make(...args, { ...others, device: "meta" }).to_empty({ device: device as string });
  },
);
