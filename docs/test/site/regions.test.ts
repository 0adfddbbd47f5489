import { expect, test } from "vitest";
import { parseGlossary } from "../../site/glossary.ts";
import { findRegion } from "../../site/regions.ts";

const source = `/** @file A file's own comment. */
import { a } from "./a.ts";

/** What f does. */
export function f(x: number): number {
  return a(x);
}

// #region corner
const hidden = 1;
// #endregion

export class Box {
  /** Its size. */
  size(): number {
    return hidden;
  }
}

export const table = {
  call(x: number) {
    return f(x);
  },
};
`;

const script = `/** @file A walkthrough. */
import torch from "glasstorch";

// ## Step 1. Made
// A tensor is made.
const x = torch.ones([2]);
check(x.dim(), 1);

// ## Step 2. Told
// Only told.

finish({});
`;

const yaml = `- func: dot(Tensor self, Tensor tensor) -> Tensor
  variants: function, method

- func: dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
`;

test("a Note, whole", () => {
  const text = `const a = 1;

// Note [Why one]
// ~~~~~~~~~~~~~~
// Because it is not two.
//   one   1
const b = 2; // Note [Why one]
`;
  const { text: cut, line } = findRegion("a.ts", text, "Note [Why one]");
  expect(cut.split("\n")).toEqual([
    "// Note [Why one]",
    "// ~~~~~~~~~~~~~~",
    "// Because it is not two.",
    "//   one   1",
  ]);
  expect(line).toBe(3);
});

test("a declaration, without its doc comment unless asked for", () => {
  expect(findRegion("a.ts", source, "f")).toEqual({
    text: "export function f(x: number): number {\n  return a(x);\n}",
    line: 5,
  });
  expect(findRegion("a.ts", source, "f", { doc: true })).toMatchObject({ line: 4 });
});

test("a method of a class or of an object, moved to the margin", () => {
  expect(findRegion("a.ts", source, "Box.size").text).toBe("size(): number {\n  return hidden;\n}");
  expect(findRegion("a.ts", source, "table.call").text).toBe("call(x: number) {\n  return f(x);\n},");
});

test("a marked region", () => {
  expect(findRegion("a.ts", source, "corner")).toEqual({ text: "const hidden = 1;", line: 10 });
});

test("a step of a walkthrough: its code, or with what it says", () => {
  expect(findRegion("w.ts", script, "Step 1").text).toBe("const x = torch.ones([2]);\ncheck(x.dim(), 1);");
  expect(findRegion("w.ts", script, "Step 1", { comments: true }).text).toMatch(/^\/\/ A tensor is made\./);
  expect(() => findRegion("w.ts", script, "Step 2")).toThrow("has no code of its own");
});

test("an entry of a YAML file, not one whose name only begins so", () => {
  expect(findRegion("f.yaml", yaml, "- func: dot")).toEqual({
    text: "- func: dot(Tensor self, Tensor tensor) -> Tensor\n  variants: function, method",
    line: 1,
  });
  expect(findRegion("f.yaml", yaml, "- func: dot.out").line).toBe(4);
});

test("a name that is gone is told with its nearest", () => {
  expect(() => findRegion("a.ts", source, "Box.sizes")).toThrow(
    'a.ts has no region "Box.sizes"; the nearest names are "Box.size"',
  );
  expect(() => findRegion("w.ts", script, "Step 7")).toThrow('"Step 1"');
});

test("words of the glossary: forms, anchors, first paragraphs", () => {
  const words = parseGlossary(`---
aliases:
  cells: dispatch table
---
## Dispatcher
### dispatch table
One row an *operator*. See [kernel](#kernel).

More.
### kernel
A function.
`);
  expect(words.find("dispatch tables")).toEqual({
    word: "dispatch table",
    anchor: "dispatch-table",
    tip: "One row an operator. See kernel.",
  });
  expect(words.find("cells")?.anchor).toBe("dispatch-table");
  expect(words.find("Kernel")?.tip).toBe("A function.");
  expect(words.find("nothing")).toBeNull();
});
