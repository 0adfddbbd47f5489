/**
 * Operands of all shapes, strides and dtypes: the results' size, stride, dtype and values, or the error, are PyTorch's. Recorded by
 * tools/oracle/record_iterators.py.
 */
import torch from "glasstorch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { type Any, readFixture } from "../helpers/recorded.ts";

type Operand = [dtype: string, size: number[], stride: number[], offset: number, device: string];
type Row = [
  name: string,
  operands: Operand[],
  where: "new" | "first" | Operand,
  dims: number[] | null,
  keepdim: boolean,
  answer: unknown[],
];
const recorded = readFixture<{ torch: string; rows: Row[] }>(
  new URL("../fixtures/iterator/outputs.json.gz", import.meta.url),
);

let previous: ReturnType<typeof setWarningHandler>;
beforeAll(() => {
  previous = setWarningHandler(() => {}); // an output that is resized warns
});
afterAll(() => {
  setWarningHandler(previous);
});

function tensor([dtype, size, stride, offset, device]: Operand): Any {
  const last = size.includes(0) ? offset : size.reduce((at, n, d) => at + (n - 1) * stride[d], offset);
  const values = Array.from({ length: last + 1 }, (_, i) => (i % 7) - 2);
  const t: Any = torch;
  return t.tensor(values, { dtype: t.int64 }).to(t[dtype]).to(device).as_strided(size, stride, offset);
}

function run([name, operands, where, dims, keepdim]: Row): Any {
  const tensors = operands.map(tensor);
  const args = dims === null ? tensors : [...tensors, dims, keepdim];
  if (where === "first" && `${name}_` in tensors[0]) return tensors[0][`${name}_`](...args.slice(1));
  return typeof where === "string"
    ? (torch as Any)[name](...args)
    : (torch as Any)[name](...args, { out: tensor(where) });
}

function answer(row: Row): unknown[] {
  let r: Any;
  try {
    r = run(row);
  } catch (error) {
    const { name, message } = error as Error;
    return [name, message.split("\n")[0]];
  }
  const values = r.is_meta
    ? null
    : r
        .flatten()
        .tolist()
        .map((v: Any) =>
          Number.isFinite(Number(v)) || typeof v === "boolean"
            ? v
            : String(v).replace("Infinity", "inf").replace("NaN", "nan"),
        );
  return [[...r.shape], [...r.stride()], String(r.dtype), r.device.type, values];
}

const groups = new Map<string, Row[]>();
for (const [i, row] of recorded.rows.entries()) {
  const name = `${row[0]}, ${typeof row[2] === "string" ? row[2] : "out"}, ${i % 4}`;
  groups.set(name, [...(groups.get(name) ?? []), row]);
}

test.each([...groups])("%s", (_name, rows) => {
  for (const row of rows) expect([row.slice(0, 5), answer(row)]).toEqual([row.slice(0, 5), row[5]]);
});
