/**
 * @file Tensors for the figure of strides: each made by running its line, with its sizes, strides, offset and where its elements stand.
 * @original
 */
import { join } from "node:path";
import torch from "../../src/index.ts";
import type { Context } from "./context.ts";

export interface DrawnView {
  /** As Python writes it. */
  readonly code: string;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  /** Positions in the storage, in the order of the elements. */
  readonly positions: readonly number[];
  /** Whether it reads the storage of `x`; a copy has one of its own. */
  readonly shares: boolean;
}

const x = torch.arange(12).reshape(3, 4);

/** Each element holds its position: reading a view tells where it looks. */
const views: readonly (readonly [code: string, make: () => typeof x])[] = [
  ["x = torch.arange(12).reshape(3, 4)", () => x],
  ["x.t()", () => x.t()],
  ["x[1]", () => x.select(0, 1)],
  ["x[:, 1]", () => x.select(1, 1)],
  ["x[:, ::2]", () => x.__getitem__([torch.slice(null, null), torch.slice(null, null, 2)])],
  ["x[1].expand(3, 4)", () => x.select(0, 1).expand(3, 4)],
  ["x.t().reshape(12)", () => x.t().reshape(12)],
];

export async function viewsDrawn(context: Context): Promise<string> {
  const drawn = views.map(([code, make]): DrawnView => {
    const view = make();
    const shares = view.untyped_storage().data_ptr() === x.untyped_storage().data_ptr();
    const elements = view.reshape(-1).tolist() as number[];
    return {
      code,
      sizes: [...view.shape],
      strides: view.stride() as number[],
      offset: view.storage_offset() as number,
      positions: shares ? elements : elements.map((_, i) => i),
      shares,
    };
  });
  context.write(join(context.generated, "views.json"), JSON.stringify(drawn));
  return `${drawn.length} tensors`;
}
