/**
 * @file Files that PyTorch wrote are read, and written again byte for byte; files that it refuses are refused, in its words.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import torch from "../../../src/index.ts";
import { describe_value } from "../../../tools/oracle/describe_value.ts";

interface Recorded {
  readonly torch: string;
  readonly files: { name: string; file: string; legacy: string; value: unknown; same_bytes: boolean }[];
  readonly errors: [what: string, file: string, kwargs: Record<string, unknown>, error: string, message: string][];
}

/** `npm run test:oracle` records another one. */
const fixture = process.env["FILES_FIXTURE"] ?? new URL("../../fixtures/files/files.json.gz", import.meta.url).pathname;
const recorded: Recorded = JSON.parse(gunzipSync(readFileSync(fixture)).toString());

function bytes_of(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}

describe.each(recorded.files)("$name", ({ file, legacy, value, same_bytes }) => {
  test("is read", () => {
    expect(describe_value(torch.load(bytes_of(file)))).toEqual(value);
  });
  test.runIf(same_bytes)("is written byte for byte", () => {
    const again = torch.save(torch.load(bytes_of(file)));
    expect(Buffer.compare(again, bytes_of(file))).toBe(0);
  });
  test.runIf(!same_bytes)("is written, and means the same", () => {
    expect(describe_value(torch.load(torch.save(torch.load(bytes_of(file)))))).toEqual(value);
  });
  test.runIf(legacy !== "")("is read in the legacy format", () => {
    expect(describe_value(torch.load(bytes_of(legacy)))).toEqual(value);
  });
  test("goes through our legacy format", () => {
    const again = torch.save(torch.load(bytes_of(file)), { _use_new_zipfile_serialization: false });
    expect(describe_value(torch.load(again))).toEqual(value);
  });
});

describe("what PyTorch refuses", () => {
  test.each(recorded.errors)("%s", (_what, file, kwargs, error, message) => {
    let refused: unknown = null;
    try {
      torch.load(bytes_of(file), kwargs);
    } catch (thrown) {
      refused = thrown;
    }
    expect(refused).toBeInstanceOf(Error);
    expect(`${(refused as Error).name}: ${(refused as Error).message}`).toBe(`${error}: ${message}`);
  });
});
