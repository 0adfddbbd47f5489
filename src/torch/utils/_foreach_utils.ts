/**
 * @file Conditions of the `_foreach` operators: lists with one device and one dtype, and devices with such kernels.
 * @mirrors torch/utils/_foreach_utils.py
 */
import { ScalarType } from "#c10/core/ScalarType";
import { RuntimeError, unmet } from "#c10/util/Exception";
import { _C } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import type { device } from "#torch/types";

/** The device types with kernels for lists of tensors. */
export function _get_foreach_kernels_supported_devices(): string[] {
  return ["cuda", "xpu", "mtia", _C._get_privateuse1_backend_name()];
}

/** The device types with kernels for a whole optimizer step. */
export function _get_fused_kernels_supported_devices(): string[] {
  return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", _C._get_privateuse1_backend_name()];
}

type Row = Tensor | null;

/** Whether a tensor may belong to the row of `first`: it has the same dtype and device, or is a step count, or a state in bfloat16. */
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

/**
 * Splits lists whose i-th elements belong together into groups by device and dtype of the first list, as the `_foreach` operators require.
 */
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
      // A list may be empty, if the option that needs it is not used.
      Object.entries(lists).map(([name, list]) => [name, list.length === 0 ? [] : indices.map((i) => list[i])]),
    ) as { [K in keyof L]: Tensor[] },
    device: (first[indices[0]] as Tensor).device,
    indices,
  }));
}

function _device_has_foreach_support(device: device): boolean {
  return device.type === "cpu" || _get_foreach_kernels_supported_devices().includes(device.type);
}

/** Whether a list uses a `_foreach` operator: if it is requested, or by default if all are plain tensors. */
export function takes_foreach(foreach: boolean | null, tensors: readonly Tensor[], device: device): boolean {
  if (foreach === false) return false;
  const supported = _device_has_foreach_support(device);
  if (foreach === null) return supported && tensors.every((t) => t.constructor === Tensor);
  if (supported) return true;
  throw new RuntimeError(`foreach=True was passed, but can't use the foreach API on ${device.type} tensors`);
}
