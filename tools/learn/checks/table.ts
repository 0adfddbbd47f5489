/**
 * @file The check of the learner's function for a cell of the dispatch table, for every key and every set of
 * registrations, against PyTorch's.
 * @original
 */
import torch from "glasstorch";
import type { Table } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import type { Scope } from "./run.ts";

interface Golden {
  readonly keys: readonly string[];
  /** Whether the fallback that serves every operator is a kernel or a fallthrough, by key. */
  readonly fallbacks: Readonly<Record<string, Registered>>;
  readonly cases: readonly {
    readonly name: string;
    readonly registered: Readonly<Record<string, Registered>>;
    /** `[fallthrough] origin` by key; missing cells are omitted. */
    readonly rows: Readonly<Record<string, string>>;
  }[];
}

type Registered = "kernel" | "fallthrough";

interface Cell {
  readonly kernel: Registered;
  readonly origin: string;
}

const MISSING = "(missing)";

export async function table(spec: Table, { host, yours }: Scope): Promise<Finding | null> {
  const golden = (await host.golden(spec.golden)) as Golden;
  for (const { name, registered, rows } of golden.cases) {
    if (!spec.cases.includes(name)) continue;
    const operator = {
      registered: (key: string) => registered[key] ?? null,
      fallback: (key: string) => golden.fallbacks[key] ?? null,
      reaches: (alias: string, key: string) => torch._C._dispatch_is_included_in_alias(key, alias),
      backends: (key: string) =>
        key.startsWith("Autograd") ? torch._C._dispatch_get_backend_keyset_from_autograd(key).names() : [],
    };
    const row = (key: string): string => {
      const cell = yours["computeDispatchTableEntry"](operator, key) as Cell | null;
      return cell === null ? MISSING : `${cell.kernel === "fallthrough" ? "fallthrough " : ""}${cell.origin}`;
    };
    const label = (key: string, text: string): string => `${key}: ${text}`;
    const finding = compareRows(
      golden.keys.map((key) => label(key, rows[key] ?? MISSING)),
      golden.keys.map((key) => label(key, row(key))),
      (first) => {
        const key = golden.keys[first];
        const fallback = golden.fallbacks[key];
        const reach = Object.keys(registered).filter((alias) => alias !== key && operator.reaches(alias, key));
        return {
          headline: `the cell of ${key}, with: ${name}`,
          because:
            `registered: ${Object.keys(registered).join(", ")}; aliases among them that reach ${key}: ${list(reach)}; ` +
            `fallback of ${key}: ${fallback ?? "none"}`,
        };
      },
    );
    if (finding !== null) return finding;
  }
  return null;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
