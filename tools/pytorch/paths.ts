/**
 * @file Paths of files in PyTorch's repository.
 * @original
 */

/** Files whose path in the wheel differs from that in the repository. */
const PACKED: readonly (readonly [from: string, to: string])[] = [
  ["torchgen/packaged/autograd/", "tools/autograd/"],
  ["torchgen/packaged/ATen/", "aten/src/ATen/"],
];

/** The repository's path for an `@mirrors` mark: without `#symbol`, and without the wheel's own layout. */
export function upstreamPath(mirrors: string): string {
  const path = mirrors.replace(/#.*$/, "");
  for (const [from, to] of PACKED) if (path.startsWith(from)) return to + path.slice(from.length);
  return path;
}
