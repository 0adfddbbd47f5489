/**
 * @file Enables the transforms of `torch.func`: `import "glasstorch/func"`. Node loads it at the first use of one of them.
 * @original
 * @see torch/_functorch/loading.ts
 */
import "./python.ts";
import "./aten/functorch/BatchRules.ts";
import { register_modules } from "./python_modules.ts";
import { set_transforms } from "./torch/_functorch/loading.ts";
import "./torch/_functorch/wrapper_str.ts";
import * as transforms from "./torch/_functorch/transforms.ts";
import * as functorch from "./torch/csrc-equivalent/functorch/init.ts";
import torch from "./torch/index.ts";

set_transforms(transforms);
Object.assign(torch._C, { _functorch: functorch });
register_modules({ "torch._C._functorch": functorch });

export const { func } = torch;
export default torch;
