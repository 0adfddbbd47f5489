/**
 * @file `torch.export`: a model as one graph, which waits.
 * @mirrors torch/export/__init__.py
 * @differs Not built: a name that says so.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

/** @throws {NotImplementedError} always */
const export_: NotBuilt = not_built(
  "torch.export.export",
  "export(mod: object, args: object, kwargs: object=None, *, dynamic_shapes=None, strict=False)",
  "call the model itself: it runs eagerly",
);

export { export_ as export };
