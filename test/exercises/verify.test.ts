/**
 * @file The exercises hold what they promise: `npm run ex -- verify`, exercise by exercise.
 */
import { test } from "vitest";
import { exerciseIds, Folder } from "../../tools/learn/node/folder.ts";
import { verify } from "../../tools/learn/node/verify.ts";

test.concurrent.for(exerciseIds())("%s", async (id, { expect }) => {
  const { ran, complaints } = await verify(new Folder(id));
  expect(complaints).toEqual([]);
  expect(ran).toBeGreaterThan(0);
});
