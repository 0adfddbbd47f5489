/**
 * @file The check of the learner's functions that compute a call's key set, against the key sets with which PyTorch
 * entered its kernels.
 * @original
 */
import { toString as keyToString, parseDispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { KeySets } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import type { Scope } from "./run.ts";

interface Keys {
  readonly keys: readonly string[];
  readonly raw: string;
}

interface Golden {
  readonly calls: readonly {
    readonly name: string;
    readonly args: readonly (Keys | null | readonly (Keys | null)[])[];
    readonly included: Keys;
    readonly excluded: Keys;
    readonly fallthrough: readonly string[];
    readonly keyset: Keys;
    readonly key: string;
  }[];
}

const setOf = ({ raw }: Keys): DispatchKeySet => DispatchKeySet.from_raw_repr(BigInt(raw));
const shown = (set: DispatchKeySet | null): string => (set === null ? "None" : `{${set.names().join(", ")}}`);

export async function keyset(spec: KeySets, { host, yours }: Scope): Promise<Finding | null> {
  const golden = (await host.golden(spec.golden)) as Golden;
  for (const call of golden.calls) {
    if (!spec.calls.includes(call.name)) continue;
    const args = call.args.map((arg) =>
      arg === null ? null : "raw" in arg ? setOf(arg) : arg.map((each) => (each === null ? null : setOf(each))),
    );
    const union = args
      .flat()
      .reduce((all: DispatchKeySet, arg) => (arg === null ? all : all.or(arg)), DispatchKeySet.EMPTY);
    const included = setOf(call.included);
    const excluded = setOf(call.excluded);
    const mask = call.fallthrough.reduce((left, key) => left.remove(parseDispatchKey(key)), DispatchKeySet.FULL);
    const because =
      spec.compute === "union"
        ? `the arguments' key sets: ${args.map((arg) => (Array.isArray(arg) ? `[${arg.map(shown).join(", ")}]` : shown(arg))).join(", ")}`
        : `arguments ${shown(union)}; included ${shown(included)}; excluded ${brief(excluded)}; falls through ${call.fallthrough.filter((key) => union.or(included).has(parseDispatchKey(key))).join(", ")}`;
    const finding =
      spec.compute === "union"
        ? compareSets(union, yours["keys_of_arguments"](args), call.name, because)
        : compareSets(
            setOf(call.keyset),
            yours["computeDispatchKeySet"](union, { included, excluded }, mask),
            call.name,
            because,
          );
    if (finding !== null) return finding;
  }
  return null;
}

const ABSENT = "-";

/** Compares key by key, from low to high; last, the key that wins. */
function compareSets(expected: DispatchKeySet, yours: unknown, headline: string, because: string): Finding | null {
  if (!(yours instanceof DispatchKeySet))
    throw new TypeError(`the function should return a DispatchKeySet; it returned ${yours}`);
  const row = (set: DispatchKeySet, name: string): string => (set.has(parseDispatchKey(name)) ? name : ABSENT);
  const names = expected.or(yours).names();
  const winner = (set: DispatchKeySet): string => `the winner: ${keyToString(set.highestPriorityTypeId())}`;
  const finding = compareRows(
    [...names.map((name) => row(expected, name)), winner(expected)],
    [...names.map((name) => row(yours, name)), winner(yours)],
    () => ({ headline, because }),
  );
  if (finding === null) return null;
  const key = names[finding.first];
  return { ...finding, seen: finding.seen === ABSENT ? `lacks ${key}` : `has ${key}` };
}

/** There are ten autocast keys; one is enough to represent them. */
function brief(set: DispatchKeySet): string {
  const names = set.names();
  const autocast = names.filter((name) => name.startsWith("Autocast"));
  if (autocast.length < 3) return shown(set);
  return `{${[...names.filter((name) => !autocast.includes(name)), `${autocast[0]} and ${autocast.length - 1} more Autocast keys`].join(", ")}}`;
}
