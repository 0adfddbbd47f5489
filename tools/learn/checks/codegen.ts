/**
 * @file What codegen made of the learner's lines: names that should now stand in generated files.
 * @original
 */
import { type Codegen, ExerciseError } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import type { Scope } from "./run.ts";

export async function codegen(spec: Codegen, { host }: Scope): Promise<Finding | null> {
  const generated = await host.generated();
  if (generated === null) throw new ExerciseError("a check of codegen, and no file to edit that codegen reads");
  const texts = [...generated.files];
  return compareRows(
    spec.has.map(({ text }) => text),
    spec.has.map(({ file, text }) =>
      texts.some(([path, made]) => path.includes(file) && made.includes(text)) ? text : `(not in ${file})`,
    ),
    (first) => ({
      headline: `codegen did not write ${spec.has[first].text}`,
      because: told(spec.has[first].file.replace(/_\d+.*/, ""), [...generated.files.keys()]),
    }),
  );
}

function told(file: string, written: readonly string[]): string {
  const changed = written.filter((path) => path.includes(file)).map((path) => path.slice(path.lastIndexOf("/") + 1));
  return changed.length === 0
    ? `your lines have changed no file ${file}`
    : `your lines have changed ${changed.join(", ")}, and the text is not in what they made of it`;
}
