/**
 * @file `torch._subclasses`: tensors without data.
 * @mirrors torch/_subclasses/__init__.py
 */
import "./fake_impls.ts";

export * as fake_tensor from "./fake_tensor/index.ts";
export {
  DynamicOutputShapeException,
  FakeTensor,
  FakeTensorMode,
  UnsupportedFakeTensorException,
} from "./fake_tensor/index.ts";
