/**
 * @file The check of a learner's answer, against a recording or result made at that moment: the right answer is stored nowhere.
 * @original
 */
import { parse } from "yaml";
import { ExerciseError, type Predict } from "../exercise.ts";
import type { Finding } from "../report.ts";
import type { Session } from "./host.ts";
import { ask } from "./query.ts";
import { callOf, recorded } from "./recorded.ts";
import type { Scope } from "./run.ts";

export function predict(spec: Predict, { host, file, session }: Scope): Finding | null {
  const answers = (parse(host.text(spec.file ?? file)) ?? {}) as Readonly<Record<string, unknown>>;
  const answer = answers[spec.answer] ?? null;
  const yours = [answer].flat().map((each) => (each === null ? "" : String(each).trim()));
  // In a call's result only C++ names may be shortened: 5 is not the end of 0.5.
  const named = (so: string): boolean => spec.truth !== "result" || so.includes("::");
  const truth = spec.truth === "result" ? returned(session, spec.call) : ask(recorded(session, spec.call), spec.truth);
  if (truth.length === 0) throw new ExerciseError(`${spec.answer}: the recording has no answer`);
  const says = (said: string | undefined, so: string | undefined): boolean =>
    said === so || (said !== undefined && so !== undefined && named(so) && means(said, so, spec.parts ?? 1));
  const first = [...truth, ...yours].findIndex(
    (_, i) => i < Math.max(truth.length, yours.length) && !says(yours[i], truth[i]),
  );
  if (first === -1) return null;
  const given = yours.some((each) => each !== "");
  return {
    headline: given ? `${spec.answer}: not what happens` : `${spec.answer}: no answer yet`,
    // The answer is not shown: the learner should see it in the trace.
    rows: yours
      .map((each, i) => ({
        expected:
          i < first
            ? (truth[i] as string)
            : truth[i] === undefined
              ? "(no more)"
              : i === first
                ? "(something else)"
                : "...",
        yours: each === "" ? "(no answer)" : each,
      }))
      .concat(yours.length < truth.length ? [{ expected: "(one more at least)", yours: "" }] : []),
    first: Math.min(first, yours.length),
    because: [spec.question, ...formOf(yours[first] ?? "", truth, first)].join(" "),
    seen: given ? (yours[first] ?? "") : "(no answer)",
    call: spec.call,
  };
}

function returned(session: Session, call: string): string[] {
  const { inputs, run } = callOf(session, call);
  return [run(...inputs())].flat().map(String);
}

/**
 * Whether an answer means a name: the last parts are enough (`structured_exp_out::impl` for
 * `at::native::structured_exp_out::impl`). A file needs its whole path.
 */
function means(answer: string, truth: string, parts: number): boolean {
  if (truth.includes("/")) return answer.replace(/^\.\//, "").replace(/:\d+$/, "") === truth;
  if (answer.split(/::|\./).length >= parts && isEndOf(answer, truth)) return true;
  const [, owner] = STRUCTURED.exec(truth) ?? [];
  return owner !== undefined && (answer === owner || isEndOf(answer, owner));
}

/** The class of a structured operator has one function that a person writes, so the class alone names it. */
const STRUCTURED = /^(.*\bstructured_\w+)::(?:meta|impl)$/;

function isEndOf(answer: string, truth: string): boolean {
  return answer !== "" && truth.endsWith(answer) && /[.:/]$/.test(truth.slice(0, truth.length - answer.length));
}

/** If an answer may be right but has the wrong form, what is wrong with its form. */
function formOf(answer: string, truth: readonly string[], at: number): string[] {
  const so = truth[at] ?? "";
  if (answer === "" || so === "") return [];
  if (truth.length > 1 && at === 0 && /[\s,;]/.test(answer) && !/\s/.test(so))
    return ["Several answers are a list: [first, second]."];
  if (/^\d+$/.test(so) && !/^\d+$/.test(answer)) return ["The answer is a number, in digits."];
  if (isEndOf(answer, so))
    return [so.includes("/") ? "Your answer is only the end of a path." : "Write more of its name."];
  const [small, soSmall] = [answer.toLowerCase(), so.toLowerCase()];
  return small === soSmall || isEndOf(small, soSmall) ? ["Capital letters count."] : [];
}
