/**
 * @file FileCheck on texts: what it accepts, and its errors word for word, as PyTorch 2.13.0 gives them (tools/oracle/record_file_check.py).
 */
import { readFileSync } from "node:fs";
import "glasstorch/fx";
import torch from "glasstorch";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { FileCheck } from "#torch/csrc-equivalent/jit/testing/file_check";

interface Case {
  readonly calls: readonly (readonly [name: "check", ...args: [string]])[];
  readonly run: readonly string[];
  readonly says: string | null;
}
const fixture = JSON.parse(readFileSync(new URL("../../../../fixtures/file_check.json", import.meta.url), "utf8")) as {
  readonly torch: string;
  readonly cases: readonly Case[];
};

function said({ calls, run }: Case): string | null {
  const checks = new FileCheck();
  try {
    for (const [name, ...args] of calls) checks[name](...args);
    checks.run(...run);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(fixture.cases.map((each) => [JSON.stringify([each.calls, each.run]).slice(0, 80), each] as const))(
  "%s",
  (_, each) => {
    expect(said(each)).toBe(each.says);
  },
);

test("wrong arguments are refused in pybind11's words", () => {
  const wrong = new FileCheck() as unknown as Record<string, (...args: unknown[]) => unknown>;
  expect(() => wrong["check"]?.(1)).toThrow(
    "check(): incompatible function arguments. The following argument types are supported:\n    1. (self: torch._C.FileCheck, arg0: str) -> torch._C.FileCheck\n\nInvoked with: ",
  );
  expect(() => wrong["run"]?.(1)).toThrow(/2\. \(self: torch\._C\.FileCheck, arg0: torch\._C\.Graph\) -> None/);
  expect(() => wrong["check_count"]?.("a", "b")).toThrow("check_count(): incompatible function arguments");
  expect(() => new FileCheck().check_count("a", 0)).toThrow("Count == 0 && !exactly doesn't do anything");
});

test("it is torch.testing.FileCheck, of Python too, and takes a graph", () => {
  expect((torch.testing as unknown as { FileCheck: unknown }).FileCheck).toBe(FileCheck);
  const { error } = python(`import torch, torch.fx
from torch.testing import FileCheck
gm = torch.fx.symbolic_trace(lambda x: torch.relu(x) * 2)
FileCheck().check("relu").check_count("mul", 1, exactly=True).check_next("return").run(gm.code)
error = ""
try:
    FileCheck().check_not("relu").run(str(gm.graph))
except RuntimeError as e:
    error = str(e)
`) as unknown as { error: string };
  expect(error).toContain('Expected to not find "relu" but found it');
});
