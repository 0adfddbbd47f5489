/**
 * @file `npm run ex -- check 22`: runs the gate for every operator that a working tree adds, and prints its answers.
 * @original
 */
import { ExerciseError } from "../exercise.ts";
import { labelled } from "../feedback.ts";
import { type Answer, gate, starters } from "./gate.ts";
import { addedOperators } from "./gate_added.ts";
import { columns, styles } from "./screen.ts";

export interface Checked {
  readonly object: unknown;
  readonly lines: readonly string[];
  readonly whole: boolean;
}

/** Number of problems shown per question. */
const TOLD = 6;

/** @param named the operators; if empty, those that git shows */
export async function checkContribution(
  named: readonly string[],
  { ci, base }: { readonly ci: boolean; readonly base?: string },
): Promise<Checked> {
  const operators = named.length > 0 ? named : addedOperators(base ?? null);
  if (operators.length === 0) return nothingAdded(ci);
  const answered: Record<string, readonly Answer[]> = {};
  for (const operator of operators) {
    const answers = await gate(operator);
    if (answers === null) throw new ExerciseError(`PyTorch 2.13.0 has no operator ${operator}`);
    answered[operator] = answers;
  }
  const all = Object.values(answered).flat();
  const wrong = all.filter((answer) => answer.wrong.length > 0).length;
  const lacking = all.filter(({ lacks }) => lacks !== undefined);
  const whole = wrong === 0 && (lacking.length === 0 || !ci);
  return {
    object: answered,
    whole,
    lines: [
      ...Object.entries(answered).flatMap(([operator, answers]) => [
        styles.strong(`aten::${operator.replace(/^aten::/, "")}`),
        ...answers.flatMap(told),
        ...(answers.some(({ id }) => id === "22.runs") ? [] : [styles.dim("  the other checks run when these pass")]),
      ]),
      "",
      ...verdict(wrong, lacking, ci),
    ],
  };
}

function told({ id, says, ran, wrong, lacks, ours, pytorch }: Answer): string[] {
  const line = `${id.padEnd(15)}${says}${ran === undefined ? "" : `: ${ran}`}`;
  if (lacks !== undefined) return [`○ ${id.padEnd(15)}${lacks}`];
  if (wrong.length === 0) return [styles.good(`✓ ${line}`)];
  const more = wrong.length > TOLD ? [`and ${wrong.length - TOLD} more`] : [];
  return [
    styles.bad(`✗ ${line}`),
    ...[...wrong.slice(0, TOLD), ...more].flatMap((text) => labelled("because", text.replace(/\s+/g, " "), columns())),
    ...labelled("look at", ours, columns()),
    ...labelled("PyTorch", pytorch, columns()),
  ];
}

function verdict(wrong: number, lacking: readonly Answer[], ci: boolean): string[] {
  if (wrong > 0) return [styles.bad(`not whole: ${wrong} ${wrong === 1 ? "check fails" : "checks fail"}`)];
  if (lacking.length === 0) return [styles.good("complete: hand it in")];
  const told = lacking.flatMap(({ lacks }) => labelled("lacking", lacks as string, columns()));
  return [
    `nothing is wrong, and ${lacking.length} of the checks did not run${ci ? ": under --ci they must" : ""}`,
    ...told,
  ];
}

/** The answer if no operator is added: a contribution without one passes, a learner has to choose one. */
function nothingAdded(ci: boolean): Checked {
  const names = ci ? [] : starters();
  const none = "no entry of native_functions.yaml was added or changed here";
  const lines = ci
    ? [none]
    : [
        `${none}: name an operator, npm run ex -- check 22 erf, or begin one`,
        "",
        ...labelled("begin", `with one of these: ${names.join(", ")}`, columns()),
      ];
  return { object: { starters: names }, lines, whole: ci };
}
