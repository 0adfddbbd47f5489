/**
 * @file `torch.onnx`: models in a format for other programs. Not built.
 * @mirrors torch/onnx/__init__.py
 * @differs Ours raises at each call; PyTorch exports the model.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

/** @throws {NotImplementedError} always */
const export_: NotBuilt = not_built(
  "torch.onnx.export",
  "export(model: object, args: object=(), f: object=None, **kwargs)",
  "torch.save the state dict, and export it from PyTorch",
);

export { export_ as export };
