/**
 * @file Creation of the `torch.layout` objects, as members of the module.
 * @mirrors torch/csrc/utils/tensor_layouts.cpp
 */
import { Layout } from "#c10/core/Layout";
import { registerLayoutObject } from "#torch/csrc-equivalent/DynamicTypes";
import { THPLayout_New } from "#torch/csrc-equivalent/Layout";

const LAYOUTS: readonly (readonly [Layout, string])[] = [
  [Layout.Strided, "strided"],
  [Layout.Sparse, "sparse_coo"],
  [Layout.SparseCsr, "sparse_csr"],
  [Layout.SparseCsc, "sparse_csc"],
  [Layout.SparseBsr, "sparse_bsr"],
  [Layout.SparseBsc, "sparse_bsc"],
  [Layout.Mkldnn, "_mkldnn"],
  [Layout.Jagged, "jagged"],
];

export function initializeLayouts(module: Record<string, unknown>): void {
  for (const [layout, name] of LAYOUTS) {
    const object = THPLayout_New(layout, `torch.${name}`);
    registerLayoutObject(object, layout);
    module[name] = object;
  }
}
