/**
 * @file The folders that the autograd generators read and write.
 * @mirrors tools/autograd/gen_autograd.py
 */
export const CODEGEN_FOLDER = "tools/codegen/autograd";
export const TEMPLATES_FOLDER = `${CODEGEN_FOLDER}/templates`;
export const AUTOGRAD_FOLDER = "src/torch/csrc-equivalent/autograd";
export const GENERATED_FOLDER = `${AUTOGRAD_FOLDER}/generated`;
