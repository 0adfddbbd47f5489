/**
 * @file The texts of the exercises fit the page that shows them: no file that a page has not, no command of a terminal.
 */
import { expect, test } from "vitest";
import { exerciseIds, Folder } from "../../../tools/learn/node/folder.ts";
import { pageText } from "../../site/exercise_pages.ts";

const inPages = exerciseIds()
  .map((id) => new Folder(id))
  .filter(({ exercise }) => exercise.id !== "22-contribute");

test.each(inPages.map((folder) => [folder.exercise.id, folder] as const))("%s", (_, folder) => {
  const readme = folder.read("README.md");
  const text = pageText(readme);
  expect(text).not.toMatch(/answers\.yaml|npm run|npx /);
  expect(text.length).toBeGreaterThan(readme.length / 2);
});

test("a question's file becomes the fields, a command of the terminal the box that answers", () => {
  expect(pageText("Open `answers.yaml` and write your answers. `npm run explain -- prelu` shows it.")).toBe(
    "Write your answers into the fields. [Where is it?](/lookup/?q=prelu) shows it.",
  );
});
