/**
 * @file Enables `torch.fx`: `import "glasstorch/fx"`. Node loads it at the first use of `torch.fx`, and Python at `import torch.fx`.
 * @original
 * @see torch/_doors.ts, Note [Doors]
 */
import "./python.ts";
import { doors } from "./torch/_doors.ts";
import * as fx from "./torch/fx/index.ts";
import torch from "./torch/index.ts";

doors.open("fx", fx);

export { fx };
export default torch;
