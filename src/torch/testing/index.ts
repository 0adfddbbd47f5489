/**
 * @file `torch.testing`: are two results close; tensors to try things on.
 * @mirrors torch/testing/__init__.py
 */
export { assert_allclose, assert_close } from "./_comparison.ts";
export { make_tensor } from "./_creation.ts";
