/**
 * @file Enables `torch.jit`: `import "glasstorch/jit"`. Node loads it at the first use of `torch.jit`, and Python at `import torch.jit`.
 * @original
 * @see torch/_doors.ts, Note [Doors]
 */
import "./python.ts";
import { register_modules } from "./python_modules.ts";
import { doors } from "./torch/_doors.ts";
import { initArchiveReader } from "./torch/csrc-equivalent/jit/python/archive_reader.ts";
import { initCodeTable } from "./torch/csrc-equivalent/jit/python/code_table.ts";
import { initExecutorBindings } from "./torch/csrc-equivalent/jit/python/executor.ts";
import { initLiteScriptModuleBindings } from "./torch/csrc-equivalent/jit/python/lite_script_module.ts";
import { initPythonIRBindings } from "./torch/csrc-equivalent/jit/python/python_ir.ts";
import { initScriptModuleBindings } from "./torch/csrc-equivalent/jit/python/script_module.ts";
import { FileCheck } from "./torch/csrc-equivalent/jit/testing/file_check.ts";
import torch from "./torch/index.ts";
import { initFunctionFromGraph } from "./torch/jit/_script/function_from_graph.ts";
import * as frontend from "./torch/jit/frontend/names.ts";
import * as jit from "./torch/jit/index.ts";

const C = torch._C as unknown as Record<string, unknown>;
initPythonIRBindings(C);
initScriptModuleBindings(C);
initExecutorBindings(C);
initLiteScriptModuleBindings(C);
initArchiveReader(C);
initCodeTable(C);
initFunctionFromGraph(C);
// `interface` cannot be an exported name in the older module format.
const { interface_, ...others } = jit;
register_modules({ "torch.jit.mobile": jit.mobile, "torch.jit.frontend": frontend });
doors.open("jit", { ...others, interface: interface_, frontend });

for (const owner of [torch, torch._C, torch.testing]) Object.assign(owner, { FileCheck });

export { jit };
export default torch;
