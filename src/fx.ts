/**
 * @file Enables `torch.fx`: `import "glasstorch/fx"`. Node loads it at the first use of `torch.fx`, and Python at `import torch.fx`.
 * @original
 * @see torch/_doors.ts, Note [Doors]
 */
import "./python.ts";
import { register_modules } from "./python_modules.ts";
import * as decomp from "./torch/_decomp/core_aten.ts";
import { doors } from "./torch/_doors.ts";
import * as exc from "./torch/_dynamo/exc.ts";
import * as aot_autograd from "./torch/_functorch/aot_autograd.ts";
import * as compilers from "./torch/_functorch/compilers.ts";
import "./torch/_functorch/functionalize.ts";
import * as partitioners from "./torch/_functorch/partitioners/index.ts";
import * as cond from "./torch/_higher_order_ops/cond.ts";
import * as while_loop from "./torch/_higher_order_ops/while_loop.ts";
import * as subclasses from "./torch/_subclasses/index.ts";
import * as sym_functions from "./torch/_sym_functions.ts";
import * as functional_tensors from "./torch/csrc-equivalent/autograd/functional_tensors.ts";
import { FileCheck } from "./torch/csrc-equivalent/jit/testing/file_check.ts";
import * as fx from "./torch/fx/index.ts";
import torch from "./torch/index.ts";
import * as pytree from "./torch/utils/_pytree/index.ts";

// Before the door opens: then the table of names is read.
for (const [name, value] of Object.entries({ cond: cond.cond, while_loop: while_loop.while_loop, ...sym_functions }))
  Object.defineProperty(torch, name, { value, writable: true, configurable: true, enumerable: true });
doors.open("fx", fx);
for (const [name, value] of Object.entries(functional_tensors))
  Object.defineProperty(torch, name, { value, writable: true, configurable: true });

const functorch_compile = { ...aot_autograd, ...compilers, ...partitioners };

register_modules({
  "torch._decomp": decomp,
  "functorch.compile": functorch_compile,
  functorch: { compile: functorch_compile },
  "torch._functorch": { aot_autograd, compilers, partitioners },
  "torch._functorch.aot_autograd": aot_autograd,
  "torch._functorch.compilers": compilers,
  "torch._functorch.partitioners": partitioners,
  "torch._subclasses.fake_tensor": subclasses.fake_tensor,
  "torch._subclasses": subclasses,
  "torch.utils._pytree": pytree,
  "torch._dynamo.exc": exc,
  "torch._higher_order_ops": { cond: cond.cond, while_loop: while_loop.while_loop },
  "torch._higher_order_ops.cond": cond,
  "torch._higher_order_ops.while_loop": while_loop,
});

for (const owner of [torch, torch._C, torch.testing]) Object.assign(owner, { FileCheck });

export { fx };
export default torch;
