/**
 * @file The promises of an exercise as tests: one for each chosen exercise.
 */
import { afterAll, expect, test } from "vitest";
import type { Exercise } from "../../tools/learn/exercise.ts";
import { Checker, LONG_PATIENCE } from "../../tools/learn/node/checking.ts";
import { exerciseIds, Folder } from "../../tools/learn/node/folder.ts";
import { verify } from "../../tools/learn/node/verify.ts";

/** @param preload whether the tree's own library serves all of them */
export function tests_of(chosen: (exercise: Exercise) => boolean, preload: boolean): void {
  const checker = new Checker(preload, undefined, LONG_PATIENCE);
  afterAll(() => checker.end());
  test.each(exerciseIds().filter((id) => chosen(new Folder(id).exercise)))(
    "%s",
    async (id) => {
      const { ran, complaints } = await verify(new Folder(id), checker);
      expect(complaints).toEqual([]);
      expect(ran).toBeGreaterThan(0);
    },
    LONG_PATIENCE,
  );
}
