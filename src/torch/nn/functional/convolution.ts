/**
 * @file Convolutions of `torch.nn.functional`.
 * @mirrors torch/nn/functional.py#conv2d
 */
import { _C } from "#torch/_C";

const _VF = _C._VariableFunctions;

/** The functions `torch.conv1d` and so on, under their names in `F`. */
export const conv1d = _VF.conv1d;
export const conv2d = _VF.conv2d;
export const conv3d = _VF.conv3d;
export const conv_transpose1d = _VF.conv_transpose1d;
export const conv_transpose2d = _VF.conv_transpose2d;
export const conv_transpose3d = _VF.conv_transpose3d;
