/**
 * @file The tests for each file. Every test imports the library, so imports do not determine them.
 * @original
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

const autograd = [
  ...["backward", "function", "inplace", "ownership", "programs", "saved_tensors", "user_programs"].map(
    (name) => `test/torch/autograd/${name}.test.ts`,
  ),
  ...["engine", "ownership", "reentrance", "saved_variable"].map(
    (name) => `test/torch/csrc-equivalent/autograd/${name}.test.ts`,
  ),
];
const dispatch = [
  "test/aten/core/dispatch/*.test.ts",
  "test/torch/library.test.ts",
  "test/torch/library_user_level.test.ts",
];
const printing = ["test/torch/front_end.test.ts", "test/torch/_tensor_str.test.ts"];
const kernels = ["", "_run", "_source", "_annotations", "_expressions", "_typing", "_of_the_tree"].map(
  (name) => `test/tools/codegen/kernels${name}.test.ts`,
);

/** Further tests beside the one with the same path, by the longest matching prefix of a file's path. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  "src/torch/csrc-equivalent/autograd/": autograd,
  "src/torch/csrc-equivalent/utils/python_arg_parser": [
    "test/torch/bad_input.test.ts",
    "test/torch/signatures.test.ts",
    "test/torch/front_end.test.ts",
    "test/torch/overrides.test.ts",
  ],
  "src/torch/_tensor_str": printing,
  "src/torch/nn/": ["test/torch/nn/*.test.ts"],
  "src/aten/core/dispatch/": dispatch,
  "src/aten/core/dispatch/OperatorEntry": [...dispatch, "test/torch/dispatch_fuzz.test.ts"],
  "src/c10/core/DispatchKeySet": ["test/aten/core/dispatch/Dispatcher.test.ts"],
  "src/c10/core/TensorImpl": ["test/torch/autograd/inplace.test.ts"],
  "src/aten/iterator/": ["", "Wishes", "Outputs", "CommonCase"].map(
    (name) => `test/aten/TensorIterator${name}.test.ts`,
  ),
  "tools/codegen/kernels/": kernels,
};

/** Patterns of test files, relative to the root. */
export function testsOf(root: string, file: string): string[] {
  const mirrored = file.replace(/^(src\/|(?=tools\/))/, "test/").replace(/\.ts$/, ".test.ts");
  const known = Object.keys(ABOUT)
    .filter((start) => file.startsWith(start))
    .sort((a, b) => b.length - a.length)[0];
  return [
    ...(existsSync(join(root, mirrored)) ? [mirrored] : []),
    ...(known === undefined ? [] : (ABOUT[known] ?? [])),
  ];
}
