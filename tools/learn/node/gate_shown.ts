/**
 * @file Whether an operator is documented: `npm run explain` shows every part of it, and its page of the site is built.
 * @original
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import torch from "glasstorch";
import { allSymbols } from "glasstorch/trace";
import { ROOT } from "../../codegen/file_system.ts";
import { type OperatorFacts, Operators } from "../../explain/operators.ts";
import { testsOf } from "../../explain/tests_of.ts";
import { nameOf, type TheirOperator } from "../../pytorch/operators.ts";
import type { Answer } from "./gate.ts";

export function explained(theirs: readonly TheirOperator[], texts: ReadonlyMap<string, string>): Answer {
  const operators = new Operators({
    files: texts,
    symbols: allSymbols(),
    dumpTable: (op) => torch._C._dispatch_dump_table(op),
  });
  const all = theirs.map(nameOf).flatMap((name) => {
    const found = operators.named(name);
    return found === null ? [] : [operators.facts(found)];
  });
  const wrong = all.flatMap((facts) => missing(facts).map((what) => `aten::${facts.name}: it has no ${what}`));
  const derived = theirs.some(({ derivative }) => derivative !== undefined);
  if (derived && all.every(({ derivative }) => derivative === null)) wrong.push("no form of it has a derivative");
  return {
    id: "22.explain",
    says: "npm run explain has every part of it",
    wrong,
    ours: "tools/explain/operators.ts",
    pytorch: "torchgen/model.py",
  };
}

function missing(facts: OperatorFacts): string[] {
  const { yamlText, sentence, kernels, delegate, way, table, pieces, variant } = facts;
  const written = kernels.flatMap((kernel) => [kernel, ...kernel.steps]);
  const parts: Readonly<Record<string, boolean>> = {
    "YAML entry": yamlText !== "",
    sentence: sentence !== "",
    "kernel that a person wrote": written.length > 0 || delegate !== null,
    "file of PyTorch's for a kernel (@mirrors)": written.every(({ mirrors }) => mirrors !== ""),
    "way of a call": variant === "out" || way.length > 1,
    "dispatch table": table.length > 0,
    "generated code": pieces.length > 0,
    "test that names it": variant !== "functional" || testsOf(ROOT, facts).length > 1,
  };
  return Object.keys(parts).filter((part) => !parts[part]);
}

export function paged(base: string): Answer {
  const answer = {
    id: "22.page",
    says: "its page of the site is made",
    wrong: [] as string[],
    ours: "docs/site/operator_pages.ts",
    pytorch: "docs/source",
  };
  const docs = join(ROOT, "docs");
  if (!existsSync(join(docs, "node_modules")))
    return { ...answer, lacks: "its page was not made: docs/ has no packages (npm ci --prefix docs)" };
  const file = base.startsWith("_") ? `operator-${base}` : base;
  for (const script of [
    ["site/prepare.ts", "operators"],
    ["site/check_pages.ts", `operators/${file}.mdx`],
  ]) {
    const made = spawnSync(process.execPath, ["node_modules/tsx/dist/cli.mjs", ...script], {
      cwd: docs,
      encoding: "utf8",
    });
    const said = `${made.stderr}${made.stdout}`.trim();
    if (made.status !== 0) return { ...answer, wrong: [said.split("\n").slice(-3).join(" ")] };
    if (said.startsWith("0 pages")) return { ...answer, wrong: [`no page was made of ${base}`] };
  }
  return answer;
}
