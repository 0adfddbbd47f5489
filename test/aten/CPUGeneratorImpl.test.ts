/** The generator behind every random number: its engine, its state's bytes, its independence. Values from PyTorch 2.13.0. */
import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createCPUGenerator, getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import type { Generator } from "#aten/core/Generator";
import { mt19937 } from "#aten/core/MT19937RNGEngine";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import "#aten/generated/RegisterAll";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";

function floats(t: Tensor): number[] {
  const from = t.impl_.data_offset();
  return Array.from(t.impl_.data_view().subarray(from, from + t.numel()) as Float32Array);
}

let generator: Generator;
beforeAll(() => {
  generator = getDefaultCPUGenerator();
});

test("the engine gives the reference sequence of MT19937", () => {
  const engine = new mt19937(5489n);
  expect(engine.random()).toBe(3499211612);
  for (let i = 2; i < 10000; i++) engine.random();
  expect(engine.random()).toBe(4123659995); // the 10000th, as the C++ standard requires of std::mt19937
});

test("words taken together are those taken one by one, and the state goes on alike", () => {
  const [together, one_by_one] = [new mt19937(11n), new mt19937(11n)];
  for (const n of [1, 3, 619, 1, 5, 624, 1248, 2]) {
    for (let left = n; left > 0; ) {
      const words = [...together.random_words(left)];
      expect(words.length).toBeGreaterThan(0);
      for (const word of words) expect(word >>> 0).toBe(one_by_one.random());
      left -= words.length;
    }
    expect(together.data()).toEqual(one_by_one.data());
    expect(together.random()).toBe(one_by_one.random());
  }
});

test("a fresh generator has PyTorch's default seed", () => {
  expect(createCPUGenerator().current_seed()).toBe(67280421310721n);
});

test("a seed is taken modulo 2^64, and its low half decides", () => {
  const g = createCPUGenerator();
  g.set_current_seed(-5n);
  expect(g.current_seed()).toBe(2n ** 64n - 5n);
  const first = floats(at.rand_generator([4], g));
  g.set_current_seed(2n ** 32n - 5n);
  expect(floats(at.rand_generator([4], g))).toEqual(first);
});

test("the state's bytes are PyTorch's", () => {
  generator.set_current_seed(7n);
  at.randn([3]); // leaves one normal number in the cache
  at.rand([700]); // past the first twist
  const state = generator.get_state();
  expect(state.sizes()).toEqual([5056]);
  expect(createHash("sha256").update(state.storage().bytes()).digest("hex")).toBe(
    "4470db18ef214f9b2334ef51b5de6fce9604e31bda1ea15be23b9af72ce08f7f",
  );
});

test("a state set is a state resumed, cached normal included", () => {
  generator.set_current_seed(1n);
  at.randn([1]);
  const state = generator.get_state();
  const expected = [floats(at.randn([5])), floats(at.rand([20]))];
  generator.set_state(state);
  expect([floats(at.randn([5])), floats(at.rand([20]))]).toEqual(expected);
});

test("a clone draws the same numbers, independently", () => {
  generator.set_current_seed(3n);
  const copy = generator.clone();
  const mine = floats(at.rand([1000]));
  expect(floats(at.rand_generator([1000], copy))).toEqual(mine);
});

test.each([
  ["RNG state must be a torch.ByteTensor", () => at.zeros([5056])],
  [
    "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be 10",
    () => empty_cpu([10], ScalarType.Byte),
  ],
  // Not `empty`: its memory may hold what was a state.
  ["Invalid mt19937 state", () => at.zeros([5056], new TensorOptions(ScalarType.Byte))],
  ["RNG state must be contiguous", () => at.zeros([5056, 2], new TensorOptions(ScalarType.Byte)).select_int(1, 0)],
])("%s", (message, make) => {
  expect(() => generator.set_state(make())).toThrow(message);
});

test("an offset is refused", () => {
  expect(() => generator.set_offset(3n)).toThrow("CPU Generator does not use offset");
});
