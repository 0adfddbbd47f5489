/**
 * @file Check of functions with many parameters. With more than seven, some of them probably form a concept that needs a name (style). A
 * function with more than twelve gives its reason in the comment above it, such as `@parameters PyTorch's own.`. `tools/check_marks.ts`
 * calls this check.
 * @original
 */
import { outline } from "#trace/outline";
import { signature_at } from "./codegen/parameters.ts";

/** More parameters than this need a reason. */
const MOST_PARAMETERS = 12;

/** Functions of a file that have too many parameters and give no reason, a line each. */
export function complaints_about_parameters(path: string, text: string): string[] {
  const complaints: string[] = [];
  for (const { name, kind, line, comment } of outline(text)) {
    if ((kind !== "function" && kind !== "method") || /@parameters[ \t]+[^\s*]/.test(comment)) continue;
    const { length } = signature_at(text, line).parameters;
    if (length > MOST_PARAMETERS)
      complaints.push(
        `${path}:${line}: ${name} has ${length} parameters, and ${MOST_PARAMETERS} is the most: name what some of them are together ` +
          "(a row of memory, a geometry, options), or write the reason above it: '@parameters why'",
      );
  }
  return complaints;
}
