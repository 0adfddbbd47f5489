/**
 * @file Operations that exist only in the graph of lazy tensors.
 * @mirrors torch/csrc/lazy/core/internal_ops/ltc_ops.h
 */
import { OpKind } from "../ir.ts";

export const ltc_cast = OpKind.Get("lazy_tensors::cast");
export const ltc_device_data = OpKind.Get("lazy_tensors::device_data");
export const ltc_not_supported = OpKind.Get("lazy_tensors::not_supported");
/** A list of tensors as one operand. */
export const tensor_list_opkind = OpKind.Get("lazy_tensors::tensor_list");
