/**
 * How tensors print: the text, and the operators that printing runs, as PyTorch's. Recorded by tools/oracle/record_tensor_str.py.
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { afterEach, describe, expect, test } from "vitest";
import { type Any, readFixture } from "../helpers/recorded.ts";

type Row = [ts: string, python: string, options: Any, text: string, operators: string[] | null];
const { rows } = readFixture<{ rows: Row[] }>(new URL("../fixtures/front_end/tensor_str.json.gz", import.meta.url));

class S extends torch.Tensor {}

/** The tensor of a row, with the row's options set. */
function prepare([ts, , options]: Row): Any {
  torch.set_printoptions({ profile: "default" });
  torch.set_printoptions(options);
  return new Function("torch", "S", `return ${ts}`)(torch, S);
}

afterEach(() => {
  torch.set_printoptions({ profile: "default" });
});

describe("text", () => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(JSON.stringify(row[2]), [...(groups.get(JSON.stringify(row[2])) ?? []), row]);
  test.each([...groups])("with the options %s", (_options, of_options) => {
    for (const row of of_options) expect(`${row[1]}: ${String(prepare(row))}`).toBe(`${row[1]}: ${row[3]}`);
  });
});

describe("operators", () => {
  const with_operators = rows.filter((row) => row[4] !== null);
  test.each(with_operators)("%s", (...row) => {
    const x = prepare(row);
    const prof = torch.profiler.profile.run(() => String(x));
    const lines: string[] = [];
    const walk = (event: Any, depth: number): void => {
      lines.push("  ".repeat(depth) + event.name);
      for (const child of event.cpu_children) walk(child, depth + 1);
    };
    for (const event of prof.events() as Any[]) if (event.cpu_parent === null) walk(event, 0);
    expect(lines).toEqual(row[4]);
  });

  test("show in a recording", () => {
    const x = torch.tensor([1.5, 2]);
    expect(record(() => String(x)).keysOf("aten::masked_select").length).toBeGreaterThan(0);
  });
});

describe("options", () => {
  const defaults = { precision: 4, threshold: 1000, edgeitems: 3, linewidth: 80, sci_mode: null };

  test("a profile sets all, and what is given beside it counts", () => {
    torch.set_printoptions({ profile: "short" });
    expect(torch.get_printoptions()).toEqual({ ...defaults, precision: 2, edgeitems: 2 });
    torch.set_printoptions({ profile: "full", precision: 7 });
    expect(torch.get_printoptions()).toEqual({ ...defaults, threshold: Infinity, precision: 7 });
    torch.set_printoptions({ profile: "default" });
    expect(torch.get_printoptions()).toEqual(defaults);
  });

  test("what is not given stays, but for sci_mode", () => {
    torch.set_printoptions({ linewidth: 40, edgeitems: 1, sci_mode: true });
    torch.set_printoptions({ threshold: 5 });
    expect(torch.get_printoptions()).toEqual({ ...defaults, linewidth: 40, edgeitems: 1, threshold: 5 });
  });

  test("what was asked for is a copy", () => {
    torch.get_printoptions().precision = 9;
    expect(torch.get_printoptions()).toEqual(defaults);
    expect(String(torch.tensor([0.5]))).toBe("tensor([0.5000])");
  });
});
