import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ROOT, read_tree } from "../../../../tools/codegen/file_system.ts";
import { generate } from "../../../../tools/codegen/generate.ts";
import { text_of } from "../../../helpers/sharded.ts";

const fixture = new URL("../../../fixtures/front_end/signatures.json.gz", import.meta.url);
const recorded = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as Record<string, Record<string, string[]>>;
const OUTPUTS: Record<string, string> = {
  methods: "python_variable_methods.ts",
  torch: "python_torch_functions.ts",
  nn: "python_nn_functions.ts",
};
const tree = read_tree(ROOT);

/** Binding name -> the strings of its parser. */
function signatures(text: string): Map<string, string[]> {
  const parsers = text.matchAll(/const (\w+)_parser = new PythonArgParser\(\[(".*"|\n[\s\S]*?\n)\]\);/g);
  return new Map(
    [...parsers].map((m) => [
      m[1],
      [...m[2].matchAll(/^ {2}(".*"),$|^(".*")$/gm)].map((s) => JSON.parse(s[1] ?? s[2]) as string),
    ]),
  );
}

describe("signatures and their order are PyTorch's", () => {
  for (const [module, table] of Object.entries(recorded)) {
    const text = text_of(`src/torch/csrc-equivalent/autograd/generated/${OUTPUTS[module]}`, (path) => tree.get(path));
    const ours = signatures(text);
    for (const [name, expected] of Object.entries(table)) {
      if (module === "methods" && expected.length === 1 && expected[0] === `${name}()`) continue; // no parser
      test(`${module}: ${name}`, () => expect(ours.get(name)).toEqual(expected));
    }
  }
});

test("a public operator without a docstring is refused, with the way out", () => {
  const files = new Map(tree);
  const docs = files.get("src/torch/_torch_docs.ts") as string;
  files.set("src/torch/_torch_docs.ts", docs.replace("abs: Documented;", "nobody: Documented;"));
  expect(() => generate(files)).toThrow(
    /native_functions\.yaml.*the public operator 'abs' has no docstring.*add an entry 'abs' to src\/torch\/_torch_docs\.ts/s,
  );
});
