/**
 * @file The check of files: a call's result is written to a file and read again, by this library, and by PyTorch if it
 * is installed.
 * @original
 */
import torch from "glasstorch";
import { describe_value } from "../../oracle/describe_value.ts";
import type { Roundtrip } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

export async function roundtrip(spec: Roundtrip, { host, session, note }: Scope): Promise<Finding | null> {
  const { inputs, run } = callOf(session, spec.call);
  const result = run(...inputs());
  const written = rowsOf(describe_value(result));
  const file = torch.save(result);
  const ours = differs(spec, written, describe_value(torch.load(file)), "read again");
  if (ours !== null) return ours;
  const read = await host.readByPyTorch([file]);
  if (typeof read === "string") {
    note(`not checked against PyTorch: ${read}`);
    return null;
  }
  const [theirs] = read;
  return differs(spec, written, "error" in theirs ? ["error", theirs.error] : theirs.value, "read by PyTorch");
}

function differs({ call }: Roundtrip, written: string[], found: unknown, how: string): Finding | null {
  return compareRows(written, rowsOf(found), (first) => ({
    headline: `${call}: ${how} it is another`,
    because: `torch.load read something other than torch.save wrote: ${rowsOf(found)[first] ?? "less"}`,
  }));
}

/** One row for each field of each tensor, in order. */
function rowsOf(described: unknown): string[] {
  if (Array.isArray(described)) {
    const [kind, ...rest] = described as unknown[];
    return kind === "tensor"
      ? Object.entries(rest[0] as object).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      : [String(JSON.stringify(kind)), ...rest.flatMap(rowsOf)];
  }
  return [String(JSON.stringify(described))];
}
