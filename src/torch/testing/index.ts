/**
 * @file `torch.testing`: comparison of results, and tensors for tests.
 * @mirrors torch/testing/__init__.py
 */
export { assert_allclose, assert_close } from "./_comparison.ts";
export { make_tensor } from "./_creation.ts";
