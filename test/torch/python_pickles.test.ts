/**
 * Objects of Python programs through `torch.save`, `pickle` and `copy`, attributes that are floats, and typed storages: programs print what they
 * print with PyTorch (tools/oracle/record_python_pickles.py recorded it).
 */
import { readFileSync } from "node:fs";
import { python } from "glasstorch/python";
import { describe, expect, test } from "vitest";

interface Recorded {
  readonly programs: readonly { readonly name: string; readonly text: string; readonly stdout: string }[];
}

const file = new URL("../fixtures/python/pickles.json", import.meta.url);
const { programs } = JSON.parse(readFileSync(file, "utf8")) as Recorded;
describe("programs print what they print with PyTorch", () => {
  test.for(programs)("$name", ({ name, text, stdout }) => {
    let printed = "";
    python(text, {
      filename: name,
      name: "__main__",
      stdout: (part) => {
        printed += part;
      },
    });
    expect(printed.split("\n")).toEqual(stdout.split("\n"));
  });
});
