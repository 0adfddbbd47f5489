/**
 * @file Puts the operators of this folder into a copy of the tree, each by the steps a contributor takes: YAML entry, derivative, kernel,
 * docstring. The files are texts (`.txt`): they mean something only inside the tree they are copied to.
 */
import { readFileSync } from "node:fs";
import type { Tree } from "../../../helpers/tree.ts";

const text = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

export function add_unseen_operators(tree: Tree): void {
  tree.append("src/aten/native/native_functions.yaml", text("native_functions.yaml"));
  tree.append("tools/codegen/autograd/derivatives.yaml", text("derivatives.yaml"));
  tree.append("src/torch/csrc-equivalent/autograd/FunctionsManual/index.ts", text("FunctionsManual.ts.txt"));
  tree.write("src/aten/native/Unseen.ts", text("Unseen.ts.txt"));
  tree.write("src/aten/native/cpu/UnseenKernel.ts", text("UnseenKernel.ts.txt"));
  tree.append("src/aten/native/cpu/RegisterKernels.ts", 'import "./UnseenKernel.ts";\n');
  tree.edit(
    "src/torch/_torch_docs.ts",
    "export interface TorchDocs {\n",
    `export interface TorchDocs {\n${text("docs.ts.txt")}`,
  );
  tree.edit(
    "src/torch/_tensor_docs.ts",
    "export interface TensorDocs {\n",
    `export interface TensorDocs {\n${text("tensor_docs.ts.txt")}`,
  );
}
