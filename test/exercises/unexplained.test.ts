/**
 * @file A check that speaks of what no text has explained: it would be refused.
 */
import { expect, test } from "vitest";
import { Folder } from "../../tools/learn/node/folder.ts";
import { unexplained } from "../../tools/learn/node/verify.ts";

test("the keys and origins on a way are looked for in what was read", () => {
  const { exercise } = new Folder("17-a-backend");
  const texts = (...ids: string[]): string => ids.map((id) => new Folder(id).read("README.md")).join("\n");
  expect(unexplained(exercise, texts("06-dispatch-table", "12-in-place", "17-a-backend"))).toEqual([]);
  expect(unexplained(exercise, texts("06-dispatch-table"))).toContain(
    "17.empty speaks of BackendSelect, and no text up to there does",
  );
});
