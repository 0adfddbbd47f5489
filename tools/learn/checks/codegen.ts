/**
 * @file The check of codegen's output for the learner's lines: names that must be in generated files.
 * @original
 */
import { name_of } from "../../codegen/module_path.ts";
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
      because: told(spec.has[first], generated.files),
    }),
  );
}

function told({ file, text }: Codegen["has"][number], written: ReadonlyMap<string, string>): string {
  const name = file.replace(/_\d+.*/, "");
  const changed = [...written].filter(([path]) => path.includes(name));
  if (changed.length === 0) return `your lines changed no file ${name}`;
  const files = changed.map(([path]) => name_of(path)).join(", ");
  const instead = changed.map(([, made]) => sameName(text, made)).find((found) => found !== null);
  if (instead != null) return `${files} has ${instead}; it should have ${text}`;
  return `your lines changed ${files}, but the text is not in it`;
}

/** The generated signature of the same name, up to the quotation mark after it. */
function sameName(text: string, made: string): string | null {
  const name = text.slice(0, text.indexOf("(") + 1);
  if (name === "" || name === text) return null;
  return made.split(/["'`\n]/).find((part) => part.startsWith(name)) ?? null;
}
