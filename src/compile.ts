/**
 * @file Enables `torch.compile`: `import "glasstorch/compile"`. Node loads it at the first use of `torch.compile`, and Python at
 * `import torch._dynamo`.
 * @original
 * @see torch/_doors.ts, Note [Doors]
 */
import "./fx.ts";
import { register_modules } from "./python_modules.ts";
import { doors } from "./torch/_doors.ts";
import { aot_autograd } from "./torch/_dynamo/backends/common.ts";
import * as dynamo from "./torch/_dynamo/index.ts";
import * as inductor from "./torch/_inductor/index.ts";
import torch from "./torch/index.ts";

doors.open("compile", { compile: dynamo.compile });
register_modules({
  "torch._dynamo": dynamo.namespace,
  "torch._dynamo.utils": dynamo.namespace.utils,
  "torch._dynamo.config": dynamo.namespace.config,
  "torch._dynamo.testing": dynamo.namespace.testing,
  "torch._dynamo.eval_frame": dynamo.namespace.eval_frame,
  "torch._dynamo.convert_frame": dynamo.namespace.convert_frame,
  "torch._dynamo.types": dynamo.namespace.types,
  "torch._dynamo.backends": { common: { aot_autograd } },
  "torch._dynamo.backends.common": { aot_autograd },
  "torch._logging": dynamo._logging,
  "torch._inductor": inductor,
  "torch._inductor.compile_fx": { ...inductor.compile_fx },
  "torch._inductor.config": inductor.config,
  "torch._inductor.metrics": inductor.metrics,
  "torch._inductor.utils": { ...inductor.utils },
});
for (const [name, value] of Object.entries({
  _dynamo: dynamo.namespace,
  _inductor: inductor,
  _logging: dynamo._logging,
}))
  Object.defineProperty(torch, name, { value, writable: true, configurable: true, enumerable: true });
Object.assign(torch.compiler, dynamo.compiler);

export { dynamo };
export default torch;
