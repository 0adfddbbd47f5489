/**
 * @file Enables `torch.fx`: `import "glasstorch/fx"`. Node loads it at the first use of `torch.fx`, and Python at `import torch.fx`.
 * @original
 * @see torch/_doors.ts, Note [Doors]
 */
import "./python.ts";
import { CLASS } from "./python/bridge/foreign_functions.ts";
import { register_namespace } from "./python/bridge/mappings.ts";
import { finders } from "./python/vm/import.ts";
import * as decomp from "./torch/_decomp/core_aten.ts";
import { doors } from "./torch/_doors.ts";
import * as aot_autograd from "./torch/_functorch/aot_autograd.ts";
import * as compilers from "./torch/_functorch/compilers.ts";
import { define_name } from "./torch/_python_names.ts";
import "./torch/_functorch/functionalize.ts";
import * as partitioners from "./torch/_functorch/partitioners/index.ts";
import * as subclasses from "./torch/_subclasses/index.ts";
import * as functional_tensors from "./torch/csrc-equivalent/autograd/functional_tensors.ts";
import * as fx from "./torch/fx/index.ts";
import torch from "./torch/index.ts";
import * as pytree from "./torch/utils/_pytree/index.ts";

doors.open("fx", fx);
for (const [name, value] of Object.entries(functional_tensors))
  Object.defineProperty(torch, name, { value, writable: true, configurable: true });

const functorch_compile = { ...aot_autograd, ...compilers, ...partitioners };

/** Modules that no attribute of `torch` leads to. */
const MODULES: ReadonlyMap<string, object> = new Map<string, object>([
  ["torch._decomp", decomp],
  ["functorch.compile", functorch_compile],
  ["functorch", { compile: functorch_compile }],
  ["torch._functorch", { aot_autograd, compilers, partitioners }],
  ["torch._functorch.aot_autograd", aot_autograd],
  ["torch._functorch.compilers", compilers],
  ["torch._functorch.partitioners", partitioners],
  ["torch._subclasses.fake_tensor", subclasses.fake_tensor],
  ["torch._subclasses", subclasses],
  ["torch.utils._pytree", pytree],
]);
for (const [name, namespace] of MODULES) {
  register_namespace(namespace, name);
  for (const [key, value] of Object.entries(namespace))
    if (typeof value === "function")
      define_name(name, key, value, !CLASS.test(Function.prototype.toString.call(value)));
}
finders.push((name) => {
  const module = MODULES.get(name);
  return module === undefined ? null : { module };
});

export { fx };
export default torch;
