/**
 * @file Which tensors a `_foreach` operator takes: lists of one device and one dtype, and devices that have such kernels.
 * @mirrors torch/utils/_foreach_utils.py
 */
import { ScalarType } from "#c10/core/ScalarType";
import { RuntimeError, unmet } from "#c10/util/Exception";
import { _C } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import type { device } from "#torch/types";

/** The types of devices whose kernels take a list at once. */
export function _get_foreach_kernels_supported_devices(): string[] {
  return ["cuda", "xpu", "mtia", _C._get_privateuse1_backend_name()];
}

/** The types of devices that have kernels for a whole optimizer's step. */
export function _get_fused_kernels_supported_devices(): string[] {
  return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", _C._get_privateuse1_backend_name()];
}

type Row = Tensor | null;

/** Whether a tensor may stand in a row with `first`: as that is, a count of steps, or a state that is kept in bfloat16. */
function fits(first: Tensor, t: Tensor): boolean {
  const [dtype, device] = [t.cdata.scalar_type(), t.cdata.device()];
  const of_steps = dtype === ScalarType.Float || dtype === ScalarType.Double;
  if (!device.eq(first.cdata.device())) return of_steps && device.is_cpu();
  return of_steps || dtype === first.cdata.scalar_type() || dtype === ScalarType.BFloat16;
}

function unequal(): RuntimeError {
  return new RuntimeError(
    "Tensors of the same index must be on the same device and the same dtype except `step` tensors that can be CPU and float32/64, " +
      "and optimizer states that can be bfloat16 for mixed-precision training",
  );
}

/** Lists of which one row belongs together, split by device and dtype of the first: a `_foreach` operator wants them equal. */
export function _group_tensors_by_device_and_dtype<L extends Readonly<Record<string, readonly Row[]>>>(
  lists: L,
): { readonly lists: { [K in keyof L]: Tensor[] }; readonly device: device; readonly indices: number[] }[] {
  const groups = new Map<string, number[]>();
  const [first, ...others] = Object.values(lists);
  if (first.length === 0) {
    throw new RuntimeError(unmet("!nested_tensorlist[0].empty()"));
  }
  first.forEach((tensor, i) => {
    const { device, dtype } = tensor as Tensor;
    for (const list of others) {
      const other = list[i] ?? null;
      if (other !== null && !fits(tensor as Tensor, other)) throw unequal();
    }
    const key = `${device} ${dtype}`;
    const indices = groups.get(key);
    if (indices === undefined) groups.set(key, [i]);
    else indices.push(i);
  });
  return [...groups.values()].map((indices) => ({
    lists: Object.fromEntries(
      // A list may be empty: what an option would need is not kept without it.
      Object.entries(lists).map(([name, list]) => [name, list.length === 0 ? [] : indices.map((i) => list[i])]),
    ) as { [K in keyof L]: Tensor[] },
    device: (first[indices[0]] as Tensor).device,
    indices,
  }));
}

function _device_has_foreach_support(device: device): boolean {
  return device.type === "cpu" || _get_foreach_kernels_supported_devices().includes(device.type);
}

/** Whether a list goes through a `_foreach` operator: where it is asked for, or nothing is said and each is a plain tensor. */
export function takes_foreach(foreach: boolean | null, tensors: readonly Tensor[], device: device): boolean {
  if (foreach === false) return false;
  const supported = _device_has_foreach_support(device);
  if (foreach === null) return supported && tensors.every((t) => t.constructor === Tensor);
  if (supported) return true;
  throw new RuntimeError(`foreach=True was passed, but can't use the foreach API on ${device.type} tensors`);
}
