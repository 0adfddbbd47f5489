/**
 * @file The check that an operator keeps its schema's promises: `torch.library.opcheck`.
 * @original
 */
import torch from "glasstorch";
import type { OpCheck } from "../exercise.ts";
import type { Finding } from "../report.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

export function opcheck(spec: OpCheck, { session }: Scope): Finding | null {
  const [namespace, name] = spec.op.split("::");
  const op = torch.ops[namespace][name].default;
  const results = torch.library.opcheck(
    op,
    callOf(session, spec.call).inputs(),
    {},
    { raise_exception: false, test_utils: spec.tests },
  );
  const tests = Object.entries(results as Record<string, string | Error>);
  const text = (result: string | Error): string => (result === "SUCCESS" ? "holds" : "fails");
  const first = tests.findIndex(([, result]) => result !== "SUCCESS");
  if (first === -1) return null;
  const [test, error] = tests[first];
  return {
    headline: `${spec.op}: opcheck finds an error (${test})`,
    rows: tests.map(([name, result]) => ({ expected: `${name} holds`, yours: `${name} ${text(result)}` })),
    first,
    because: String((error as Error).message ?? error).split("\n")[0],
    seen: test,
  };
}
