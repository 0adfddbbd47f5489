/**
 * @file Enables `torch.export`: `import "glasstorch/export"`. Node loads it at the first use of `torch.export`, and Python at `import torch.export`.
 * @original
 * @see torch/_doors.ts, Note [Doors]
 */
import "./fx.ts";
import { register_modules } from "./python_modules.ts";
import { doors } from "./torch/_doors.ts";
import * as export_ from "./torch/export/index.ts";
import torch from "./torch/index.ts";

doors.open("export", export_);
register_modules({
  "torch.export.exported_program": export_.exported_program,
  "torch.export.graph_signature": export_.graph_signature,
});

export { export_ };
export default torch;
