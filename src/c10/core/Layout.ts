/**
 * @file Layouts: the arrangement of a tensor's elements, as strided memory or one of the sparse forms.
 * @mirrors c10/core/Layout.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";

export const Layout = {
  Strided: 0,
  Sparse: 1,
  SparseCsr: 2,
  Mkldnn: 3,
  SparseCsc: 4,
  SparseBsr: 5,
  SparseBsc: 6,
  Jagged: 7,
} as const;
export type Layout = (typeof Layout)[keyof typeof Layout];

export const kStrided = Layout.Strided;
export const kSparse = Layout.Sparse;

const names: readonly string[] = Object.keys(Layout);

export function toString(layout: Layout): string {
  const name = names[layout];
  TORCH_CHECK(name !== undefined, "Unknown layout");
  return name;
}
