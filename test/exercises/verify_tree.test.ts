/**
 * @file Exercises whose answers change the library: codegen runs on each answer, and a process for each holds that library.
 */
import { afterAll, expect, test } from "vitest";
import { Checker, LONG_PATIENCE } from "../../tools/learn/node/checking.ts";
import { exerciseIds, Folder } from "../../tools/learn/node/folder.ts";
import { changesTheTree } from "../../tools/learn/node/tree.ts";
import { verify } from "../../tools/learn/node/verify.ts";

const checker = new Checker(false, undefined, LONG_PATIENCE);
afterAll(() => checker.end());

const ids = exerciseIds().filter((id) => changesTheTree(new Folder(id).exercise));

test.each(ids)(
  "%s",
  async (id) => {
    const { ran, complaints } = await verify(new Folder(id), checker);
    expect(complaints).toEqual([]);
    expect(ran).toBeGreaterThan(0);
  },
  LONG_PATIENCE,
);
