/**
 * @file The description of a tensor in a pickle: the function that rebuilds it from its storage, and the arguments of that function.
 * @mirrors torch/_tensor.py#Tensor.__reduce_ex__
 */
import { NotImplementedError, warn } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { repr } from "#torch/_C";
import { OrderedDict } from "#torch/_collections";
import { py_global, type Reduced } from "#torch/_pickle/index";
import { get_tensor_metadata } from "#torch/_utils/metadata";
import { _dtype_to_storage_type_map } from "#torch/storage/storage_types";
import { TypedStorage } from "#torch/storage/typed";
import type { Tensor } from "./index.ts";

/** Properties that every tensor object has; all others were set by a user. */
export const FIELDS: ReadonlySet<string> = new Set(["cdata", "backward_hooks", "post_accumulate_grad_hooks"]);

/** `torch._utils._get_obj_state`: the properties that a user set on the tensor; null if there are none. */
export function _get_obj_state(tensor: Tensor): Record<string, unknown> | null {
  const own = Object.entries(tensor).filter(([name]) => !FIELDS.has(name));
  return own.length === 0 ? null : Object.fromEntries(own);
}

/** Warns about hooks: they are functions of a program and cannot be saved. */
function warn_if_has_hooks(tensor: Tensor): void {
  const hooks = (tensor as unknown as { backward_hooks: Map<number, { __torch_unserializable__?: boolean }> | null })
    .backward_hooks;
  for (const hook of hooks?.values() ?? [])
    if (!hook.__torch_unserializable__)
      warn(
        "UserWarning",
        `backward hook ${repr(hook)} on tensor will not be serialized.  If this is expected, you can decorate the function with @torch.utils.hooks.unserializable_hook to suppress this warning`,
      );
}

/** @param cls the class of the tensor; null for `torch.Tensor` itself */
export function reduce_tensor(self: Tensor, cls: unknown): Reduced {
  const state = _get_obj_state(self);
  const reduced = _reduce_ex_internal(self);
  if (cls === null && state === null) return reduced;
  return {
    func: py_global("torch._tensor", "_rebuild_from_type_v2"),
    args: [reduced.func, cls ?? py_global("torch", "Tensor"), tuple(reduced.args), state],
  };
}

export function _reduce_ex_internal(self: Tensor): Reduced {
  warn_if_has_hooks(self);
  const size = tuple(self.size());
  const stride = self.stride();
  if (self.is_meta)
    return {
      func: py_global("torch._utils", "_rebuild_meta_tensor_no_storage"),
      args: [self.dtype, size, stride, self.requires_grad],
    };
  if (String(self.layout) !== "torch.strided")
    throw new NotImplementedError(`sparse tensor __reduce_ex__ for layout \`${self.layout}\``);
  const legacy = _dtype_to_storage_type_map().has(self.dtype);
  const storage = legacy ? TypedStorage.wrap(self.untyped_storage(), self.dtype) : self.untyped_storage();
  const args: unknown[] = [storage, self.storage_offset(), size, stride, self.requires_grad, new OrderedDict()];
  if (!legacy) args.push(self.dtype);
  const metadata = get_tensor_metadata(self);
  if (Object.keys(metadata).length > 0) args.push(metadata);
  return { func: py_global("torch._utils", legacy ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3"), args };
}

/** The description of a parameter: its data, and the mark that it is a parameter. */
export function reduce_parameter(self: Tensor): Reduced {
  const state = _get_obj_state(self);
  const args: unknown[] = [self.data, self.requires_grad, new OrderedDict()];
  if (state === null) return { func: py_global("torch._utils", "_rebuild_parameter"), args };
  return { func: py_global("torch._utils", "_rebuild_parameter_with_state"), args: [...args, state] };
}
