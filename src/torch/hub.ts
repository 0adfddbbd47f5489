/**
 * @file `torch.hub`: models published by others. Not built.
 * @mirrors torch/hub.py
 * @differs Ours raises at each call, because nothing is downloaded and Python code cannot run; PyTorch downloads models and runs their
 * code.
 */
import { type NotBuilt, not_built } from "./_not_built.ts";

/** @throws {NotImplementedError} always */
export const load: NotBuilt = not_built(
  "torch.hub.load",
  "load(repo_or_dir, model, *args, source='github', trust_repo='check', force_reload=False, verbose=True, skip_validation=False, **kwargs)",
  "write the model as a Module, and torch.load its weights from a file",
);
export const load_state_dict_from_url: NotBuilt = not_built(
  "torch.hub.load_state_dict_from_url",
  "load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None, weights_only=False)",
  "fetch the file, and give its bytes to torch.load",
);
