/**
 * @file The promises of an exercise as tests: one for each chosen exercise.
 */
import { afterAll, expect, test } from "vitest";
import { cases_in_turn } from "../../tools/ci/turn.ts";
import type { Exercise } from "../../tools/learn/exercise.ts";
import { Checker, LONG_PATIENCE } from "../../tools/learn/node/checking.ts";
import { exerciseIds, Folder } from "../../tools/learn/node/folder.ts";
import { verify } from "../../tools/learn/node/verify.ts";

/**
 * @param preload whether the tree's own library serves all of them
 * @param what names the exercises in the line that says how many run
 * @param of a complete run of all checks takes one of so many shares of the exercises, and the next one for each commit
 */
export function tests_of(what: string, chosen: (exercise: Exercise) => boolean, preload: boolean, of: number): void {
  const all = exerciseIds().filter((id) => chosen(new Folder(id).exercise));
  const taken = cases_in_turn(what, all, of);
  const checker = new Checker(preload, undefined, LONG_PATIENCE);
  afterAll(() => checker.end());
  test.each(taken)(
    "%s",
    async (id) => {
      const { ran, complaints } = await verify(new Folder(id), checker);
      expect(complaints).toEqual([]);
      expect(ran).toBeGreaterThan(0);
    },
    LONG_PATIENCE,
  );
}
