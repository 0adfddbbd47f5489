/**
 * @file Pickles of every protocol and damaged ones, with `weights_only` and without: read or refused as PyTorch does, in its words.
 * Recorded by tools/oracle/record_pickles.py.
 */
import { describe, expect, test } from "vitest";
import torch from "../../../src/index.ts";
import { describe_value } from "../../../tools/oracle/describe_value.ts";
import { readFixture } from "../../helpers/recorded.ts";

type Answer = { readonly value: unknown } | { readonly error: string; readonly message: string };
type Row = readonly [name: string, file: string, every: Answer, restricted: Answer | "same"];

const recorded = readFixture<{ torch: string; read: Row[]; damaged: Row[] }>(
  new URL("../../fixtures/files/pickles.json.gz", import.meta.url),
);

function answer(file: string, weights_only: boolean): Answer {
  try {
    return { value: describe_value(torch.load(new Uint8Array(Buffer.from(file, "base64")), { weights_only })) };
  } catch (error) {
    return { error: (error as Error).name, message: (error as Error).message };
  }
}

/** Rows whose answers differ, and how. */
function different(rows: readonly Row[], weights_only: boolean): unknown[] {
  const found: unknown[] = [];
  for (const [name, file, every, restricted] of rows) {
    const expected = weights_only && restricted !== "same" ? restricted : every;
    const actual = answer(file, weights_only);
    if (JSON.stringify(actual) !== JSON.stringify(expected)) found.push({ name, expected, actual });
  }
  return found;
}

test("the recording is of the version that is mirrored", () => expect(recorded.torch).toBe("2.13.0+cpu"));

describe.each([false, true])("weights_only: %s", (weights_only) => {
  test("every protocol", () => expect(different(recorded.read, weights_only)).toEqual([]));
  test("damaged files and single instructions", () => expect(different(recorded.damaged, weights_only)).toEqual([]));
});
