/**
 * @file What a call keeps until backward, and how many bytes that is.
 * @original
 */
import torch from "glasstorch";
import type { Tensor } from "#torch/_tensor";
import type { Saved } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

export function saved(spec: Saved, { session }: Scope): Finding | null {
  const { inputs, run } = callOf(session, spec.call);
  const made = inputs();
  const storages = new Map<number, { readonly text: string; readonly bytes: number }>();
  const pack = (tensor: Tensor): Tensor => {
    const storage = tensor.untyped_storage();
    const dtype = String(tensor.dtype).replace("torch.", "");
    storages.set(storage.data_ptr(), { text: `${dtype} [${tensor.shape}]`, bytes: storage.nbytes() });
    return tensor;
  };
  const hooks = torch.autograd.graph.saved_tensors_hooks(pack, (tensor: Tensor) => tensor);
  hooks.__enter__();
  try {
    run(...made);
  } finally {
    hooks.__exit__();
  }
  const kept = [...storages.values()];
  const bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
  const total = (n: number): string => `together: ${n} bytes`;
  return compareRows([...spec.keeps, total(spec.bytes)], [...kept.map(({ text }) => text), total(bytes)], () => ({
    headline: `${spec.call} keeps ${bytes} bytes for backward; ${spec.bytes} are enough`,
    because: "one row for each storage that is kept; a storage that two operators keep counts once",
  }));
}
