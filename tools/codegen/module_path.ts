/**
 * @file Module specifiers: `#c10/core/Scalar` for a file of another folder, as PyTorch writes `<c10/core/Scalar.h>`,
 * and `./X.ts` for a neighbour. package.json's `imports` defines the same for Node, TypeScript and bundlers.
 * @original C++ has one include path for all files.
 */

/** A file of a layer in `src`. */
const LAYER_FILE = /^src\/((?:c10|aten|caffe2|python|torch|trace)\/.+)\.ts$/;
const LAYER_NAME = /^#((?:c10|aten|caffe2|python|torch|trace)\/.+)$/;

/** The specifier by which the file `from` imports the file `to`; both are paths from the repository's root. */
export function specifier_of(from: string, to: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let common = 0;
  while (common < here.length && here[common] === there[common]) common++;
  const up = here.length - common;
  if (up === 0) return `./${there.slice(common).join("/")}`;
  const layer = LAYER_FILE.exec(to);
  return layer === null ? `${"../".repeat(up)}${there.slice(common).join("/")}` : `#${layer[1]}`;
}

/** The file that `specifier` means in the file `from`; null if it is not in the repository. */
export function file_of(from: string, specifier: string): string | null {
  const layer = LAYER_NAME.exec(specifier);
  if (layer !== null) return `src/${layer[1]}.ts`;
  if (!specifier.startsWith(".")) return null;
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** A file's name if its folder is known: `Lerp.ts`. A folder's first file includes the folder's name: `Activation/index.ts`. */
export function name_of(path: string): string {
  return /(?:[^/]+\/)?index\.\w+$|[^/]*$/.exec(path)?.[0] ?? path;
}
