/**
 * @file `npm run new-op -- "aten::special_bessel_j0"`: begins an operator that PyTorch has and we lack. It writes
 * entries and stubs into the right files, and lists the remaining steps, each with PyTorch's file. Its knowledge is
 * recorded; it needs no PyTorch.
 *   --print   write nothing
 * @original
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, read_tree } from "./codegen/file_system.ts";
import { labelled } from "./learn/feedback.ts";
import { insert } from "./new_op/insert.ts";
import { knowledge, openOperatorsOf, reservedOperators } from "./new_op/knowledge.ts";
import { type Plan, planOf, type Stub } from "./new_op/plan.ts";
import type { OpenOperator } from "./pytorch/open_operators.ts";

const WIDTH = 80;

function told({ base, entries, steps }: Plan, needs: OpenOperator["needs"], written: boolean): string[] {
  const first = needs.map(({ name, is }) => (is === "operator" ? name : `${name} (FunctionsManual)`));
  return [
    `aten::${base}: ${entries.length} of its operators ${entries.length === 1 ? "is" : "are"} not here yet`,
    ...entries.map(({ func }) => `  ${func}`),
    ...(first.length === 0 ? [] : ["", ...labelled("needs", `${first.join(", ")}: not here either`, WIDTH)]),
    ...steps.flatMap(({ what, ours, pytorch, stub }, i) => [
      "",
      ...labelled(`${i + 1}.${written && stub !== null ? " begun" : ""}`, what, WIDTH),
      `${"  ours".padEnd(12)}${ours}`,
      `${"  PyTorch".padEnd(12)}${pytorch}`,
    ]),
  ];
}

function write(stub: Stub): void {
  const path = join(ROOT, stub.file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : null;
  writeFileSync(path, insert(text, stub));
}

const USAGE = 'npm run new-op -- [--print] "aten::special_bessel_j0"';

interface Asked {
  readonly operator: string | undefined;
  readonly print: boolean;
  readonly help: boolean;
}

/** The arguments; or the reason why they are not understood. */
function askedOf(args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { print: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
      allowPositionals: true,
    });
    return { operator: positionals[0], print: values.print, help: values.help };
  } catch (error) {
    return (error as Error).message;
  }
}

function main(): number {
  const given = askedOf(process.argv.slice(2));
  if (typeof given === "string" || given.help || given.operator === undefined) {
    const problem = typeof given === "string" ? [given] : [];
    console.error([...problem, USAGE, "  --print   show the steps, and write nothing"].join("\n"));
    return typeof given !== "string" && given.help ? 0 : 2;
  }
  const asked = given.operator;
  const texts = read_tree(ROOT);
  const plan = planOf(asked, knowledge(texts));
  if (plan === null) {
    console.error(`PyTorch 2.13.0 has no operator ${asked}`);
    return 1;
  }
  const { base, entries, steps } = plan;
  if (entries.length === 0) {
    console.log(`aten::${base} is here, with all its forms: npm run explain -- ${base}`);
    return 0;
  }
  const taken = reservedOperators().includes(base);
  const written = !given.print && !taken;
  const needs = openOperatorsOf(texts).find((each) => each.base === base)?.needs ?? [];
  if (taken)
    console.log(
      `Nothing is written: ${base} belongs to the exercises (exercises/reserved.yaml). The steps would be:\n`,
    );
  if (written) for (const { stub } of steps) if (stub !== null) write(stub);
  console.log(told(plan, needs, written).join("\n"));
  return taken ? 1 : 0;
}

process.exitCode = main();
