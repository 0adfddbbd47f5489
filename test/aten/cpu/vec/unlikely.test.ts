/**
 * @file Which values stand behind an unlikely mask: those that nothing else needs. The results are in functions_of_kernel_text.test.ts.
 * @original
 */
import { expect, test } from "vitest";
import { parse_kernels } from "#aten/cpu/vec/ir";
import { seldom_values } from "#aten/cpu/vec/unlikely";
import { print_loop } from "#aten/cpu/vec/vec128";

function groups(text: string): string[] {
  const [kernel] = parse_kernels(`f float32 (a: float32) -> float32\n${text}`);
  expect(() => print_loop(kernel, false)).not.toThrow();
  const found = new Set(seldom_values(kernel).values());
  return [...found].map(({ mask, values }) => `${mask.name}: ${values.map((v) => v.name).join(" ")}`);
}

test("what only the yes sides of its choices need, all of them together", () => {
  const text = `  v0: f32 = add a, 1
  v1: f32 = mul a, 2
  v2: f32 = mul v1, v0
  v3: mask = gt a, 3
  v4: mask = unlikely v3
  v5: f32 = select v4, v2, v0
  v6: f32 = sub v1, 5
  v7: f32 = select v4, v6, a
  v8: f32 = div v5, v7
  store v8`;
  expect(groups(text)).toEqual(["v4: v1 v2 v6"]);
});

test("a group may need values that come behind its first choice", () => {
  const text = `  v0: mask = gt a, 3
  v1: mask = unlikely v0
  v2: f32 = neg a
  v3: f32 = select v1, v2, a
  v4: f32 = sqrt a
  v5: f32 = add v4, v2
  v6: f32 = select v1, v5, v4
  v7: f32 = add v3, v6
  store v7`;
  expect(groups(text)).toEqual(["v1: v2 v5"]);
});

test("one within another", () => {
  const text = `  v0: mask = gt a, 3
  v1: mask = unlikely v0
  v2: mask = gt a, 9
  v3: mask = unlikely v2
  v4: f32 = neg a
  v5: f32 = sqrt a
  v6: f32 = select v3, v4, v5
  v7: f32 = select v1, v6, a
  store v7`;
  expect(groups(text)).toEqual(["v1: v2 v3 v4 v5 v6"]);
});

test("nothing, where a choice needs another by the same mask, or the mask is only likely", () => {
  const chained = `  v0: mask = gt a, 3
  v1: mask = unlikely v0
  v2: f32 = neg a
  v3: f32 = select v1, v2, a
  v4: f32 = sqrt v3
  v5: f32 = select v1, v4, a
  store v5`;
  expect(groups(chained)).toEqual([]);
  expect(groups(chained.replace("unlikely v0", "and v0, v0"))).toEqual([]);
});
