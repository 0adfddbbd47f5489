/**
 * @file The package's entry without Python and without compilers of Python: `import { torch } from "glasstorch/cpp"`. It has the C++ front
 * end: modules, optimizers, data, archives; and it loads what `torch.jit.save` wrote, and runs it.
 * @original PyTorch's programs in C++ include `torch/torch.h` and `torch/script.h` for this.
 */

export type { IValue } from "./aten/core/ivalue.ts";
export type { Tensor } from "./aten/generated/core/TensorBody.ts";
export { torch } from "./torch/csrc-equivalent/api/all.ts";
export type { Input, Module } from "./torch/csrc-equivalent/api/jit.ts";
export type { Held, ModuleHolder } from "./torch/csrc-equivalent/api/nn/pimpl.ts";
