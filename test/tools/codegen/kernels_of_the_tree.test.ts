/** Every kernel of the library, typed and printed: what stands in `generated/` is what the generator makes of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { generate, HELPER_MODULES, outputPath, simdPath, wgslPath } from "../../../tools/codegen/dest/kernels.ts";
import { hasKernels } from "../../../tools/codegen/kernels/source.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const helpers = HELPER_MODULES.filter((path) => existsSync(join(root, path))).map((path): [string, string] => [
  path,
  read(path),
]);
const kernels = readdirSync(join(root, "src/aten/native"), { recursive: true, encoding: "utf8" })
  .map((path) => `src/aten/native/${path}`)
  .filter((path) => path.endsWith(".ts") && !path.includes("/generated/") && hasKernels(read(path)))
  .sort();

test("there are kernels", () => {
  expect(kernels.length).toBeGreaterThan(20);
});

test.each(kernels)("%s", (path) => {
  const made = generate(new Map([...helpers, [path, read(path)]]), [path]);
  const loops = /@loop \w/.test(read(path));
  expect([...made.keys()]).toEqual(loops ? [outputPath(path), simdPath(path), wgslPath(path)] : [outputPath(path)]);
  for (const [output, text] of made) expect({ output, same: text === read(output) }).toEqual({ output, same: true });
});
