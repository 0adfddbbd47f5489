/**
 * @file The answers of the real PyTorch 2.13.0 (`PYTHON`, else `python3`): its own OpInfo samples of an operator, and
 * random calls of all its forms, on the CPU and on Meta. They are recorded on demand by the recorders that made the
 * fixtures.
 * @original
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setWarningHandler } from "#c10/util/Exception";
import { type Case, callComplaint } from "../../../test/helpers/calls.ts";
import { complaintsOf, type Recorded } from "../../../test/helpers/opinfo.ts";
import { readFixture } from "../../../test/helpers/recorded.ts";
import { ROOT } from "../../codegen/file_system.ts";
import { hasTag, type TheirOperator } from "../../pytorch/operators.ts";
import type { Answer } from "./gate.ts";
import { python, withoutPyTorch } from "./pytorch_reads.ts";

export interface Asked {
  readonly opinfo: readonly Recorded[];
  /** Calls by the operator's form. */
  readonly calls: Readonly<Record<string, readonly Case[]>>;
}

/** The recordings, or the reason why there are none. */
export function askPyTorch(base: string): Asked | string {
  const lacks = withoutPyTorch();
  if (lacks !== null) return lacks;
  const scratch = mkdtempSync(join(tmpdir(), "glasstorch-gate-"));
  try {
    const calls = join(scratch, "calls.json.gz");
    const opinfo = join(scratch, "opinfo");
    const failed =
      recorder("record_calls.py", "src/aten/native/native_functions.yaml", calls, "--only", base) ??
      recorder("record_opinfo.py", opinfo, "--only", base);
    if (failed !== null) return failed;
    const read = <T>(file: string): T => readFixture<T>(pathToFileURL(file));
    return {
      opinfo: existsSync(opinfo) ? readdirSync(opinfo).map((file) => read<Recorded>(join(opinfo, file))) : [],
      calls: read<{ ops: Record<string, Case[]> }>(calls).ops,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Whether the operator works on Meta: not if PyTorch throws for every call there. */
export function hasMeta(asked: Asked | string): boolean {
  if (typeof asked === "string") return true;
  const calls = Object.values(asked.calls).flat();
  const onMeta = calls.filter(({ specs }) => specs[0].device === "meta");
  return onMeta.length === 0 || onMeta.some(({ error }) => error === undefined);
}

/** Where to look if only Meta, or only the gradient, differs. */
function placeOf(complaints: readonly string[]): Partial<Answer> {
  const all = (text: RegExp): boolean => complaints.length > 0 && complaints.every((said) => text.test(said));
  if (all(/\) on meta: |^OpInfo, \w+: sample \d+ on Meta/))
    return {
      ours: "src/torch/_meta_registrations/index.ts, _refs, _decomp",
      pytorch: "torch/_meta_registrations.py, _refs, _decomp",
    };
  if (all(/^OpInfo, \w+: sample \d+ gradient/))
    return { ours: "tools/codegen/autograd/derivatives.yaml", pytorch: "tools/autograd/derivatives.yaml" };
  return {};
}

/** Packages that the recorders import beside PyTorch, by the names that pip knows. */
const PACKAGES: Readonly<Record<string, string>> = {
  yaml: "pyyaml",
  numpy: "numpy",
  scipy: "scipy",
  expecttest: "expecttest",
};

/** Runs a recorder. Returns null, or the reason why there is no recording. */
function recorder(script: string, ...args: string[]): string | null {
  const made = spawnSync(python, [join("tools/oracle", script), ...args], { cwd: ROOT, encoding: "utf8" });
  return made.status === 0 ? null : failureOf(script, made.stderr);
}

/** The last line of a Python program's error, or the package that it needs. */
export function failureOf(script: string, stderr: string): string {
  const missing = /No module named '(\w+)/.exec(stderr)?.[1];
  if (missing !== undefined)
    return `${python} has no module ${missing}: ${python} -m pip install ${PACKAGES[missing] ?? missing}`;
  return `tools/oracle/${script} ended in an error: ${stderr.trim().split("\n").at(-1)}`;
}

export function compared(base: string, theirs: readonly TheirOperator[], asked: Asked | string): Answer {
  const answer = {
    id: "22.pytorch",
    says: "PyTorch answers the same",
    ours: "src/aten/native",
    pytorch: "torch/testing/_internal/common_methods_invocations.py",
  };
  if (typeof asked === "string")
    return { ...answer, wrong: [], lacks: `not checked against PyTorch: ${asked}; PYTHON=... names another` };
  const random = theirs.some((each) => hasTag(each, "nondeterministic_seeded"));
  const previous = setWarningHandler(() => {});
  try {
    const samples = asked.opinfo.flatMap((recorded) =>
      Object.keys(recorded.dtypes).flatMap((dtype) =>
        complaintsOf(recorded, dtype, { random }).map((said) => `OpInfo, ${dtype}: ${said.split("\n    args ")[0]}`),
      ),
    );
    const calls = Object.entries(asked.calls).flatMap(([name, cases]) =>
      cases.flatMap((each) => {
        const complaint = callComplaint(name, each);
        const said =
          complaint?.startsWith("threw ") && each.error === undefined
            ? `${complaint}; PyTorch gives a result`
            : complaint;
        const { device } = each.specs[0];
        return said === null ? [] : [`aten::${name}(${JSON.stringify(each.args).slice(1, -1)}) on ${device}: ${said}`];
      }),
    );
    const asks = [
      count(asked.opinfo.flatMap(({ dtypes }) => Object.values(dtypes)).flat(), "OpInfo sample"),
      count(Object.values(asked.calls).flat(), "random call"),
    ];
    const none = asks.every((text) => text.startsWith("no "));
    return {
      ...answer,
      ...placeOf([...samples, ...calls]),
      ran: [...asks, ...(random ? ["random numbers themselves not compared"] : [])].join(", "),
      wrong: none
        ? [`not called: ${base} has no OpInfo, and tools/oracle/record_calls.py leaves it out`]
        : [...samples, ...calls],
    };
  } finally {
    setWarningHandler(previous);
  }
}

function count(all: readonly unknown[], what: string): string {
  return `${all.length === 0 ? "no" : all.length} ${what}${all.length === 1 ? "" : "s"}`;
}
