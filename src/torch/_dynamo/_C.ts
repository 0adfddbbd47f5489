/**
 * @file The hook that sees frames, as the front end sees it: `torch._C._dynamo.eval_frame`.
 * @mirrors torch/csrc/dynamo/init.h
 */
export type { CacheEntry } from "../csrc-equivalent/dynamo/cache_entry.ts";
export { type Callback, set_eval_frame, without_eval_frame } from "../csrc-equivalent/dynamo/eval_frame.ts";
export { type ExtraState, reset_code_state } from "../csrc-equivalent/dynamo/extra_state.ts";
