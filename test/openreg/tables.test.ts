/**
 * Which kernel each operator has under the keys of a backend outside of the library, against PyTorch with the same kernels: the reasons
 * that the dispatcher gives for its cells.
 */
import { expect, test } from "vitest";
import { recorded, torch } from "./recorded.ts";

const { keys, kinds, ops } = recorded.tables;

/** Rows of the table of `name`, as the recorder reads them. */
function rows_of(name: string): unknown[] {
  const rows = new Map<string, unknown>();
  for (const line of torch._C._dispatch_dump_table(name).split("\n")) {
    const [key] = line.split(": ", 1);
    if (!keys.includes(key)) continue;
    const fallthrough = line.split("registered at")[0].includes("fallthrough");
    rows.set(key, [fallthrough, line.slice(line.lastIndexOf("[") + 1).replace(/\].*/, "")]);
  }
  return keys.map((key) => rows.get(key));
}

/** Kernels of this backend that the one in C++ has not, OpenRegExtra.ts. */
const extra = ["abs.out", "add.Tensor", "add.out", "add_.Tensor", "maximum", "maximum.out"].map(
  (name) => `aten::${name}`,
);

const names = Object.keys(ops).filter((name) => torch._C._dispatch_has_kernel(name));

test("most operators are looked at", () => expect(names.length).toBeGreaterThan(1500));

test("the rows of the backend", () => {
  const different = names.flatMap((name) => {
    const [got, expected] = [JSON.stringify(rows_of(name)), JSON.stringify(kinds[ops[name]])];
    return got === expected || extra.includes(name) ? [] : [`${name}: ${got}, in PyTorch ${expected}`];
  });
  expect(different).toEqual([]);
});
