/**
 * @file The programs of tools/oracle/record_openreg.py in our words, side by side with what PyTorch answered: the result or the error,
 * the warnings, and what the library asked of the guard.
 * @original
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";
import { type Any, elementsOf, readFixture } from "../helpers/recorded.ts";
import { asked_by } from "./journal.ts";
import * as openreg from "./openreg.ts";
import "./index.ts";

export interface Row {
  readonly result: Any;
  readonly asked: readonly string[];
  readonly warnings?: readonly string[];
}

export interface Recorded {
  readonly programs: Readonly<Record<string, Readonly<Record<string, Row>>>>;
  readonly files: Readonly<Record<string, string>>;
  readonly tables: {
    readonly keys: readonly string[];
    readonly kinds: readonly (readonly [fallthrough: boolean, reason: string])[][];
    readonly ops: Readonly<Record<string, number>>;
  };
}

export const recorded = readFixture<Recorded>(new URL("../fixtures/dispatch/openreg.json.gz", import.meta.url));

export type Tensor = ReturnType<typeof torch.tensor>;

export const F = torch.Float;
export const x: Tensor = torch.tensor([[F(1), F(2), F(3)], [F(4), F(5), F(6)]]); // biome-ignore format: rows

export const there = (index = 0): Tensor => x.to(`openreg:${index}`);
export const leaf = (index = 0): Tensor => there(index).requires_grad_();
export const S = (index = 0): Any => new torch.Stream(`openreg:${index}`);

export function inside<R>(context: Any, call: () => R): R {
  context.__enter__();
  try {
    return call();
  } finally {
    context.__exit__();
  }
}

export function error_of(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  return "no error";
}

/** Streams count from one in each program, in the order of their first mention. */
function numbered(asked: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return asked.map((line) =>
    line.replace(/(\d+):(\d+)/g, (name, device: string, stream: string) => {
      if (stream === "0") return name;
      if (!seen.has(name)) seen.set(name, seen.size + 1);
      return `${device}:${seen.get(name)}`;
    }),
  );
}

const number = (value: number | bigint): Any =>
  typeof value === "bigint" ? Number(value) : Number.isFinite(value) ? value : String(value);

function shown(result: Any): Any {
  if (result === null || result === undefined) return null;
  if (torch.is_tensor(result)) {
    const values = elementsOf(result.detach().cpu()).map(number);
    const of_bools = result.dtype === torch.bool ? values.map(Boolean) : values;
    return { device: String(result.device), dtype: String(result.dtype), shape: [...result.shape], values: of_bools };
  }
  if (Array.isArray(result)) return result.map(shown);
  if (typeof result === "bigint") return Number(result);
  if (typeof result === "boolean" || typeof result === "number" || typeof result === "string") return result;
  if (result instanceof Number) return result.valueOf();
  return String(result);
}

/** Floats to six digits, as two libraries compute them. */
function rounded(value: Any): Any {
  if (typeof value === "number")
    return Number.isInteger(value) ? value : Math.abs(value) < 1e-6 ? 0 : Number(value.toPrecision(5));
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rounded(each)]));
}

/** The warning of the fallback: PyTorch's own fallback does not warn. */
const of_the_fallback = /^The operator 'aten::/;

export function run(call: () => unknown): Row {
  const warnings: string[] = [];
  const before = setWarningHandler(({ msg }) => void warnings.push(msg));
  let result: Any;
  try {
    const asked = asked_by(() => {
      try {
        result = shown(call());
      } catch (error) {
        const { name, message } = error as Error;
        result = { error: name, message: message.split("\n")[0] };
      }
    });
    const said = warnings.filter((each) => !of_the_fallback.test(each));
    return { result, asked: numbered(asked), ...(said.length > 0 && { warnings: said }) };
  } finally {
    setWarningHandler(before);
  }
}

export type Programs = Readonly<Record<string, () => unknown>>;

/** Differences from PyTorch, by program, with the reason; `of` names the questions whose answers are equal. */
export type Differs = Readonly<Record<string, { readonly why: string; readonly of?: RegExp } & Partial<Row>>>;

export interface Options {
  /** Not all of the group's kernels are those of the recording, so other questions are asked. */
  readonly results_only?: boolean;
  /** Which questions are compared; all, unless said otherwise. */
  readonly of?: RegExp;
  readonly differs?: Differs;
}

export function compare(
  group: string,
  programs: Programs,
  { results_only = false, of = /^/, differs = {} }: Options = {},
): void {
  const rows = recorded.programs[group];
  describe(group, () => {
    test.each(Object.keys(rows))("%s", (name) => {
      const program = programs[name];
      expect(program, "is written in TypeScript").toBeDefined();
      const expected = { ...rows[name], ...differs[name] };
      const got = run(program);
      expect(rounded(got.result)).toEqual(rounded(expected.result));
      expect(got.warnings ?? []).toEqual(expected.warnings ?? []);
      const compared = (asked: readonly string[]): string[] =>
        asked.filter((line) => (differs[name]?.of ?? of).test(line));
      if (!results_only) expect(compared(got.asked)).toEqual(compared(expected.asked));
    });
    test("nothing beside", () => expect(Object.keys(programs).filter((name) => rows[name] === undefined)).toEqual([]));
  });
}

export { type Any, openreg, repr, torch };
