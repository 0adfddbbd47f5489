/**
 * @file Creation of the `torch.dtype` objects, as members of the module.
 * @mirrors torch/csrc/utils/tensor_dtypes.cpp
 */
import { getDtypeNames, NumScalarTypes, ScalarType } from "#c10/core/ScalarType";
import { THPDtype_New } from "#torch/csrc-equivalent/Dtype";
import { registerDtypeObject } from "#torch/csrc-equivalent/DynamicTypes";

export function initializeDtypes(module: Record<string, unknown>): void {
  for (let t = 0; t < NumScalarTypes; t++) {
    const scalarType = t as ScalarType;
    if (scalarType === ScalarType.Undefined) continue;
    const [primary_name, legacy_name] = getDtypeNames(scalarType);
    const dtype = THPDtype_New(scalarType, primary_name);
    registerDtypeObject(dtype, scalarType);
    module[primary_name] = dtype;
    if (legacy_name !== "") module[legacy_name] = dtype;
  }
}
