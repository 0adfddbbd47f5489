/**
 * @file PyTorch's paths as its repository has them.
 * @original
 */

/** The wheel packs some files elsewhere than the repository has them. */
const PACKED: readonly (readonly [from: string, to: string])[] = [
  ["torchgen/packaged/autograd/", "tools/autograd/"],
  ["torchgen/packaged/ATen/", "aten/src/ATen/"],
];

/** Of what `@mirrors` says, the path in the repository: no `#symbol`, nothing of the wheel's own layout. */
export function upstreamPath(mirrors: string): string {
  const path = mirrors.replace(/#.*$/, "");
  for (const [from, to] of PACKED) if (path.startsWith(from)) return to + path.slice(from.length);
  return path;
}
