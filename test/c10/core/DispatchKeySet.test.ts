/**
 * @file Keys and key sets against what PyTorch's own answer, plus the laws that the representation must keep.
 * Fixture: tools/oracle/record_dispatch_facts.py (PyTorch 2.13.0).
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BackendComponent,
  DispatchKey,
  isAliasDispatchKey,
  num_functionality_keys,
  num_runtime_entries,
  parseDispatchKey,
  toBackendComponent,
  toFunctionalityKey,
  toRuntimePerBackendFunctionalityKey,
  toString,
} from "#c10/core/DispatchKey";
import {
  autograd_dispatch_keyset,
  autogradother_backends,
  DispatchKeySet,
  default_excluded_set,
  default_included_set,
  getAutogradKeyFromBackend,
  getBackendKeySetFromAutograd,
  getDispatchTableIndexForDispatchKey,
  getRuntimeDispatchKeySet,
  highestPriorityBackendTypeId,
  isBackendDispatchKey,
  isIncludedInAlias,
  legacyExtractDispatchKey,
  runtimeDispatchKeySetHas,
  setOfKey,
} from "#c10/core/DispatchKeySet";

interface Facts {
  values: Record<string, number>;
  raw: Record<string, string>;
  fullAfter: Record<string, string>;
  full: string;
  autogradother_backends: string;
  slots: string[];
  aliasMembers: Record<string, string[]>;
  backendsOfAutograd: Record<string, string>;
  parsable: string[];
  tensors: Record<string, string>;
}
const path = new URL("../../fixtures/dispatch/facts.json.gz", import.meta.url);
const facts = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Facts;
const keys = Object.entries(facts.values) as [string, DispatchKey][];

test("every key has PyTorch's name, number and bits", () => {
  for (const [name, value] of keys) {
    expect(toString(value)).toBe(name);
    expect(`${name} ${setOfKey(value).raw_hex()}`).toBe(`${name} ${facts.raw[name]}`);
  }
  expect(num_functionality_keys).toBe(47);
});

test("names that parse, and only those", () => {
  for (const name of Object.keys(DispatchKey)) {
    if (!facts.parsable.includes(name))
      expect(() => parseDispatchKey(name)).toThrow(`could not parse dispatch key: ${name}`);
  }
  for (const name of facts.parsable) expect(toString(parseDispatchKey(name))).toBe(name);
});

test("older spellings are the same keys", () => {
  expect(DispatchKey.Autocast).toBe(DispatchKey.AutocastCUDA);
  expect(DispatchKey.DefaultBackend).toBe(DispatchKey.CompositeExplicitAutograd);
  expect(DispatchKey.PrivateUse1_PreAutograd).toBe(DispatchKey.AutogradPrivateUse1);
  expect(toString(DispatchKey.CatchAll)).toBe("Undefined");
});

test("the table has PyTorch's slots in PyTorch's order", () => {
  expect(num_runtime_entries).toBe(facts.slots.length);
  for (const [index, name] of facts.slots.entries()) {
    expect(`${name} ${getDispatchTableIndexForDispatchKey(facts.values[name] as DispatchKey)}`).toBe(
      `${name} ${index}`,
    );
  }
});

test("what a kernel may redispatch to", () => {
  for (const [name, raw] of Object.entries(facts.fullAfter)) {
    expect(`${name} ${DispatchKeySet.FULL_AFTER(facts.values[name] as DispatchKey).raw_hex()}`).toBe(`${name} ${raw}`);
  }
  expect(DispatchKeySet.FULL.raw_hex()).toBe(facts.full);
});

test("alias keys reach PyTorch's slots", () => {
  const runtime = keys.filter(([name]) => facts.slots.includes(name) && name !== "Undefined");
  for (const [alias, members] of Object.entries(facts.aliasMembers)) {
    const key = facts.values[alias] as DispatchKey;
    const ours = runtime.filter(([, value]) => isIncludedInAlias(value, key)).map(([name]) => name);
    expect(ours.sort()).toEqual([...members].sort());
    expect(isAliasDispatchKey(key)).toBe(true);
    expect([...getRuntimeDispatchKeySet(key)].map(toString).sort()).toEqual([...members].sort());
  }
  expect(isBackendDispatchKey(DispatchKey.CPU)).toBe(true);
  expect(isBackendDispatchKey(DispatchKey.NestedTensorCPU)).toBe(false);
  expect(isBackendDispatchKey(DispatchKey.CompositeExplicitAutograd)).toBe(false);
});

test("backends behind autograd keys", () => {
  for (const [name, raw] of Object.entries(facts.backendsOfAutograd)) {
    expect(`${name} ${getBackendKeySetFromAutograd(facts.values[name] as DispatchKey).raw_hex()}`).toBe(
      `${name} ${raw}`,
    );
  }
  expect(autogradother_backends.raw_hex()).toBe(facts.autogradother_backends);
  expect(getAutogradKeyFromBackend(BackendComponent.HIPBit)).toBe(DispatchKey.AutogradOther);
});

test("the defaults of the thread-local sets", () => {
  expect(default_included_set.raw_hex()).toBe("0x404000000");
  expect(default_excluded_set.raw_hex()).toBe("0x1ff8000000000");
  expect(autograd_dispatch_keyset.raw_hex()).toBe("0x3800000000");
});

test("a runtime key splits into functionality and backend and joins again", () => {
  for (let k = DispatchKey.CPU as number; k <= DispatchKey.EndOfRuntimeBackendKeys; k++) {
    const key = k as DispatchKey;
    if (toBackendComponent(key) === BackendComponent.InvalidBit) continue; // StartOf… marks
    expect(toRuntimePerBackendFunctionalityKey(toFunctionalityKey(key), toBackendComponent(key))).toBe(key);
  }
  expect(toBackendComponent(DispatchKey.Python)).toBe(BackendComponent.InvalidBit);
  expect(toFunctionalityKey(DispatchKey.CompositeImplicitAutograd)).toBe(DispatchKey.Undefined);
});

test("removing a key keeps its backend bit, which others may need", () => {
  const ks = DispatchKeySet.of(DispatchKey.CPU, DispatchKey.AutogradCPU);
  expect(ks.remove(DispatchKey.AutogradCPU).names()).toEqual(["CPU"]);
  const none = ks.sub(DispatchKeySet.of(DispatchKey.CPU, DispatchKey.AutogradCPU));
  expect(none.raw_hex()).toBe("0x1");
  expect(none.empty()).toBe(false);
  expect(none.remove_backend(BackendComponent.CPUBit).empty()).toBe(true);
  expect(ks.has(DispatchKey.AutogradCUDA)).toBe(false);
  expect(ks.add(DispatchKey.CUDA).has(DispatchKey.AutogradCUDA)).toBe(true); // sets are products
});

test("the highest functionality is entered, of the highest backend", () => {
  const ks = DispatchKeySet.from_raw_repr(BigInt(facts.tensors["cpu"]));
  expect(ks.toString()).toBe("DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  expect(toString(ks.highestPriorityTypeId())).toBe("AutocastCPU");
  expect(toString(ks.sub(default_excluded_set).highestPriorityTypeId())).toBe("AutogradCPU");
  expect(toString(legacyExtractDispatchKey(ks))).toBe("CPU");
  const mixed = DispatchKeySet.of(DispatchKey.CPU, DispatchKey.Meta);
  expect(toString(mixed.highestPriorityTypeId())).toBe("Meta");
  expect(mixed.getBackendIndex()).toBe(15);
  expect(DispatchKeySet.EMPTY.highestPriorityTypeId()).toBe(DispatchKey.Undefined);
  expect(DispatchKeySet.EMPTY.toString()).toBe("DispatchKeySet()");
});

const someKeys = fc.array(fc.constantFrom(...keys.map(([, value]) => value)), { maxLength: 6 });
const sets = someKeys.map((list) => DispatchKeySet.of(...list));

test("sets are their 64 bits", () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [x, y] = [a.raw_repr(), b.raw_repr()];
      expect(a.or(b).raw_repr()).toBe(x | y);
      expect(a.add(b).raw_repr()).toBe(x | y);
      expect(a.and(b).raw_repr()).toBe(x & y);
      expect(a.xor(b).raw_repr()).toBe(x ^ y);
      expect(a.eq(b)).toBe(x === y);
      expect(a.eq(DispatchKeySet.from_raw_repr(x))).toBe(true);
      expect(a.has_any(b)).toBe((x & y) !== 0n);
      expect(a.isSupersetOf(b)).toBe((x & y) === y);
      expect(a.empty()).toBe(x === 0n);
      expect(a.indexOfHighestBit()).toBe(x === 0n ? 0 : x.toString(2).length);
      expect(a.orSubAnd(b, default_excluded_set, DispatchKeySet.FULL).raw_repr()).toBe(
        a.or(b).sub(default_excluded_set).and(DispatchKeySet.FULL).raw_repr(),
      );
    }),
  );
});

test("a set is made of backends, or of keys", () => {
  const backends = DispatchKeySet.ofBackends(
    BackendComponent.CPUBit,
    BackendComponent.InvalidBit,
    BackendComponent.MetaBit,
  );
  expect(backends.or(setOfKey(DispatchKey.Dense)).names()).toEqual(["CPU", "Meta"]);
  expect(toString(highestPriorityBackendTypeId(backends.add(DispatchKey.AutogradFunctionality)))).toBe("Undefined");
  expect(toString(highestPriorityBackendTypeId(backends.add(DispatchKey.Dense)))).toBe("Meta");
});

test("the set of everything holds every slot", () => {
  const slots = facts.slots.filter((name) => name !== "Undefined");
  expect([...DispatchKeySet.FULL].map(toString).sort()).toEqual(slots.sort());
});

test("no backend is in every set, and cannot be taken out", () => {
  expect(DispatchKeySet.EMPTY.has_backend(BackendComponent.InvalidBit)).toBe(true);
  expect(DispatchKeySet.FULL.remove_backend(BackendComponent.InvalidBit).eq(DispatchKeySet.FULL)).toBe(true);
});

test("a set joined with itself is itself: no object is made for two plain tensors", () => {
  const ks = DispatchKeySet.of(DispatchKey.CPU);
  expect(ks.or(ks)).toBe(ks);
});

test("Undefined is no backend, no alias, and reached by none", () => {
  expect(isBackendDispatchKey(DispatchKey.Undefined)).toBe(false);
  expect(isIncludedInAlias(DispatchKey.Undefined, DispatchKey.CompositeImplicitAutograd)).toBe(false);
  expect(() => getRuntimeDispatchKeySet(DispatchKey.Undefined)).toThrow("Expected condition to be true");
  expect(() => runtimeDispatchKeySetHas(DispatchKey.Undefined, DispatchKey.CPU)).toThrow(
    "Expected condition to be true",
  );
});

test("a runtime key reaches itself alone", () => {
  expect(runtimeDispatchKeySetHas(DispatchKey.CPU, DispatchKey.CPU)).toBe(true);
  expect(runtimeDispatchKeySetHas(DispatchKey.CPU, DispatchKey.CUDA)).toBe(false);
  expect(getBackendKeySetFromAutograd(DispatchKey.CPU).empty()).toBe(true);
});
