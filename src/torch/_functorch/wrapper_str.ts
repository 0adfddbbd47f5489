/**
 * @file Tensors of transforms as text: what they wrap, indented.
 * @mirrors torch/_tensor_str.py#_functorch_wrapper_str_intern
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { _sync } from "#torch/_functorch/_C";
import * as C from "#torch/_functorch/_C_functorch";
import type { Tensor } from "#torch/_tensor/index";
import { _str, set_functorch_wrapper_str } from "#torch/_tensor_str";

const layer_keys = DispatchKeySet.of(
  DispatchKey.FuncTorchDynamicLayerFrontMode,
  DispatchKey.FuncTorchDynamicLayerBackMode,
);

/** Runs `fn` without transforms: values are printed as they are. (`_DisableFuncTorch`) */
function without_transforms<R>(fn: () => R): R {
  const guard = new ExcludeDispatchKeyGuard(layer_keys);
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

function _functorch_wrapper_str_intern(tensor: Tensor): string | null {
  const level = C.maybe_get_level(tensor);
  if (level === -1) return null;
  return without_transforms(() => {
    const is_functional = C.is_functionaltensor(tensor);
    if (is_functional) _sync(tensor);
    const value_repr = _str(C.get_unwrapped(tensor) as Tensor);
    const indented = value_repr.replace(/^(?=.)/gm, "    ");
    if (C.is_batchedtensor(tensor))
      return `BatchedTensor(lvl=${level}, bdim=${C.maybe_get_bdim(tensor)}, value=\n${indented}\n)`;
    if (C.is_gradtrackingtensor(tensor)) return `GradTrackingTensor(lvl=${level}, value=\n${indented}\n)`;
    return `FunctionalTensor(lvl=${level}, value=\\\n${value_repr})`;
  });
}

set_functorch_wrapper_str(_functorch_wrapper_str_intern);
