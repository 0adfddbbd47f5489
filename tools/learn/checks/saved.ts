/**
 * @file The check of values that a call keeps until backward, and their size in bytes; a tensor stored on `ctx` under a
 * name of its own is an error.
 * @original
 */
import torch from "glasstorch";
import type { Tensor } from "#torch/_tensor/index";
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
  let result: unknown;
  const hooks = torch.autograd.graph.saved_tensors_hooks(pack, (tensor: Tensor) => tensor);
  hooks.__enter__();
  try {
    result = run(...made);
  } finally {
    hooks.__exit__();
  }
  const [beside] = keptBeside((result as Tensor).grad_fn as Node | null);
  if (beside !== undefined)
    return {
      headline: `${spec.call}: a tensor is kept without save_for_backward`,
      rows: [{ expected: "tensors are kept by ctx.save_for_backward", yours: beside }],
      first: 0,
      because: "it is not counted, it is not freed after backward, and a write into it is not noticed (exercise 12)",
      seen: "ctx.",
    };
  const kept = [...storages.values()];
  const bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
  const total = (n: number): string => `together: ${n} bytes`;
  return compareRows([...spec.keeps, total(spec.bytes)], [...kept.map(({ text }) => text), total(bytes)], (first) => ({
    headline:
      bytes > spec.bytes
        ? `${spec.call} keeps ${bytes} bytes for backward; ${spec.bytes} are enough`
        : bytes < spec.bytes
          ? `${spec.call} keeps ${bytes} bytes for backward; ${spec.bytes} are needed`
          : `${spec.call} keeps as many bytes as it should, but in another tensor: ${kept[first]?.text ?? "none"}`,
    because: "one row for each storage that is kept; a storage that two operators keep counts once",
  }));
}

/** A node of the graph; for a `torch.autograd.Function` it is its `ctx`. */
interface Node {
  readonly next_functions: readonly (readonly [Node | null, number])[];
}

/** Tensors that a `ctx` holds under names of its own: hooks do not see them. */
function keptBeside(root: Node | null): string[] {
  const found: string[] = [];
  const seen = new Set<Node | null>([null]);
  const visit = (node: Node | null): void => {
    if (node === null || seen.has(node)) return;
    seen.add(node);
    for (const [name, value] of Object.entries(node))
      for (const each of Array.isArray(value) ? value : [value])
        if (torch.is_tensor(each)) found.push(`ctx.${name} = a tensor [${each.shape}]`);
    for (const [next] of node.next_functions) visit(next);
  };
  visit(root);
  return found;
}
