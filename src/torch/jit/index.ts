/**
 * @file `torch.jit`: queries by code that may run as a script in PyTorch; it never does here.
 * @mirrors torch/jit/__init__.py
 * @differs Ours has no scripts and no traces, so each of these functions raises; PyTorch compiles and runs them.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";
import { def } from "#torch/_signature";

const EAGER = "call the module, or the function, itself: it runs eagerly";

/** @throws {NotImplementedError} always */
export const script: NotBuilt = not_built(
  "torch.jit.script",
  "script(obj: object, optimize=None, _frames_up=0, _rcb=None, example_inputs=None)",
  EAGER,
);
export const trace: NotBuilt = not_built(
  "torch.jit.trace",
  "trace(func: object, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-05, strict=True)",
  EAGER,
);
export const load: NotBuilt = not_built(
  "torch.jit.load",
  "load(f: object, map_location=None, _extra_files=None, _restore_shapes=False)",
  "torch.load reads state dicts",
);
export const save: NotBuilt = not_built(
  "torch.jit.save",
  "save(m: object, f: object, _extra_files=None)",
  "torch.save(model.state_dict(), f) saves its weights",
);

/** Whether the code runs as a script: always false. */
export const is_scripting = def("is_scripting()", (): boolean => false);
/** Whether the code is being traced: always false. */
export const is_tracing = def("is_tracing()", (): boolean => false);
