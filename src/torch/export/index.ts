/**
 * @file `torch.export`, which converts a model to one graph. Not built.
 * @mirrors torch/export/__init__.py
 * @differs Ours raises at each call; PyTorch exports the model.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

/** @throws {NotImplementedError} always */
const export_: NotBuilt = not_built(
  "torch.export.export",
  "export(mod: object, args: object, kwargs: object=None, *, dynamic_shapes=None, strict=False)",
  "call the model itself: it runs eagerly",
);

export { export_ as export };
