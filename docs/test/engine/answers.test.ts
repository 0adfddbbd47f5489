/**
 * @file A file of answers as a form and back: what a form writes is what the checks read.
 */

import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Predict } from "../../../tools/learn/exercise.ts";
import { exerciseIds, Folder } from "../../../tools/learn/node/folder.ts";
import { answerIn, questionsIn, withAnswer } from "../../src/school/answers.ts";

const ANSWERS = "answers.yaml";
const folders = exerciseIds()
  .map((id) => new Folder(id))
  .filter(({ stub }) => stub.has(ANSWERS));

test.each(folders.map((folder) => [folder.exercise.id, folder] as const))(
  "%s: every question is asked, and the right answer can be given",
  (_, folder) => {
    const stub = folder.stub.get(ANSWERS) as string;
    const { questions } = questionsIn(stub);
    const specs = folder.exercise.checks.flatMap(({ kind, spec }) => (kind === "predict" ? [spec as Predict] : []));
    expect(questions.map(({ name }) => name).sort()).toEqual(specs.map(({ answer }) => answer).sort());
    expect(questions.map(({ text }) => text).filter((text) => text.length < 10 || /^\d/.test(text))).toEqual([]);
    const right = parse(folder.solution.get(ANSWERS) as string);
    let text = stub;
    for (const { answer, pick } of specs)
      text = withAnswer(text, answer, [right[answer]].flat().map(String), pick === "some" || pick === "order");
    expect(parse(text)).toEqual(right);
    for (const { answer } of specs) expect(answerIn(text, answer)).toEqual([right[answer]].flat().map(String));
    for (const { answer } of specs) text = withAnswer(text, answer, [], true);
    expect(text).toBe(stub);
  },
);

test("what YAML would read as something else is in quotes", () => {
  const text = withAnswer("copies:\n", "copies", ["x.t()", "a, b", "a: b", 'say "x"'], true);
  expect(parse(text)).toEqual({ copies: ["x.t()", "a, b", "a: b", 'say "x"'] });
  expect(answerIn(text, "copies")).toEqual(["x.t()", "a, b", "a: b", 'say "x"']);
});
