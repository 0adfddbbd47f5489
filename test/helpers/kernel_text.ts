/**
 * @file Vector loops of kernel text that stands in no kernel file: what a test asks of functions that no operator calls yet.
 * @original
 */
import { VecLoops } from "#aten/cpu/vec/VecLoops";
import { generate, simdPath } from "../../tools/codegen/dest/kernels.ts";
import { ROOT, read_tree } from "../../tools/codegen/file_system.ts";

const PATH = "src/aten/native/cpu/XKernel.ts";

/** The loops of the `@loop` function `name` in `text`. `helpers`: functions that kernel text may call, beside those of c10/util/math. */
export function loops_of_text(text: string, name: string, helpers = ""): VecLoops {
  const files = new Map(read_tree(ROOT)).set(PATH, text);
  const math = "src/c10/util/math.ts";
  files.set(math, `${files.get(math)}${helpers}`);
  const made = generate(files, [PATH]).get(simdPath(PATH)) as string;
  const found = new RegExp(`export const ${name} = \`([^\`]*)\`;`).exec(made);
  return new VecLoops(found?.[1] ?? "");
}
