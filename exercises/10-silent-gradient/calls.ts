/**
 * @file The operators and their calls: `silent` as it was found, and three that the learner's functions register.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

export function open(yours: Yours): Session {
  const library = new torch.library.Library("ex10", "DEF");
  library.define("silent(Tensor x) -> Tensor");
  library.impl("silent", yours["squash_cpu"], "CPU");
  for (const name of ["formula", "composite", "function"]) {
    library.define(`${name}(Tensor x) -> Tensor`);
    yours[`register_${name}`](library);
  }
  const inputs = (): unknown[] => [torch.tensor([1.5, -2.5, 0.25], { dtype: torch.float64, requires_grad: true })];
  const call = (name: string) => ({ inputs, run: (x: unknown) => torch.ops.ex10[name](x) });
  return {
    calls: {
      "torch.ops.ex10.silent(x)": call("silent"),
      "torch.ops.ex10.formula(x)": call("formula"),
      "torch.ops.ex10.composite(x)": call("composite"),
      "torch.ops.ex10.function(x)": call("function"),
      "torch.stack([formula(x), composite(x), function(x)])": {
        inputs,
        run: (x: unknown) => torch.stack(["formula", "composite", "function"].map((name) => torch.ops.ex10[name](x))),
      },
    },
    close: () => library._destroy(),
  };
}
