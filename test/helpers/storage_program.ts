/** @file Random programs over tensors that share storages, each beside a plain array that says what every element is. */
import fc from "fast-check";
import torch from "glasstorch";
import { expect } from "vitest";

type Tensor = InstanceType<typeof torch.Tensor>;

/** A storage: the tensor over all of it, views from element `start` on, an array that was shown; and what it should hold. */
interface Held {
  whole: Tensor;
  readonly views: { readonly view: Tensor; readonly start: number }[];
  shown: ArrayLike<number | bigint> | null;
  values: number[];
}

interface Step {
  readonly what: "make" | "view" | "fill" | "add" | "grow" | "show" | "empty" | "drop" | "drop whole";
  readonly which: number;
  readonly size: number;
  readonly value: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom("make", "make", "make", "view", "fill", "add", "grow", "show", "empty", "drop", "drop whole"),
  which: fc.nat(1000),
  size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 900, max: 3000 }), fc.constant(20_000)),
  value: fc.integer({ min: -100, max: 100 }),
});

function compare({ whole, views, shown, values }: Held): void {
  const found = whole.tolist() as number[];
  expect(found.length).toBe(values.length);
  for (let i = 0; i < values.length; i++) if (found[i] !== values[i]) expect([i, found[i]]).toEqual([i, values[i]]);
  for (const { view, start } of views) {
    const n = view.numel();
    expect([view.at(0).item(), view.at(n - 1).item()]).toEqual([values[start], values[start + n - 1]]);
  }
  if (shown !== null) expect([shown[0], shown[shown.length - 1]]).toEqual([values[0], values[shown.length - 1]]);
}

function take(held: Held[], s: Step): void {
  if (s.what === "make" || held.length === 0) {
    const whole = torch.full([s.size], s.value, { dtype: torch.float32 });
    held.push({ whole, views: [], shown: null, values: new Array<number>(s.size).fill(s.value) });
    return;
  }
  const at = s.which % held.length;
  const one = held[at];
  const n = one.values.length;
  const start = s.value < 0 ? 0 : Math.min(s.value, n - 1);
  switch (s.what) {
    case "view":
      one.views.push({ view: one.whole.narrow(0, start, n - start), start });
      return;
    case "fill":
      one.whole.narrow(0, start, n - start).fill_(s.value);
      one.values.fill(s.value, start);
      return;
    case "add": {
      const sum = one.whole.add(one.whole); // a temporary, and a new storage
      held.push({ whole: sum, views: [], shown: null, values: one.values.map((x) => x + x) });
      return;
    }
    case "grow":
      if (one.shown !== null) return; // the array would keep the old memory
      one.whole.resize_([n + s.size]);
      one.whole.narrow(0, n, s.size).fill_(s.value); // what is new holds anything
      one.values = [...one.values, ...new Array<number>(s.size).fill(s.value)];
      return;
    case "show":
      one.shown = one.whole.numpy();
      return;
    case "empty":
      one.whole.untyped_storage().resize_(0);
      held.splice(at, 1);
      return;
    case "drop":
      compare(one);
      held.splice(at, 1);
      return;
    case "drop whole": // a view alone keeps the memory
      one.whole = one.whole.view(n);
      compare(one);
  }
}

export const storage_program: fc.Arbitrary<() => void> = fc
  .array(step, { minLength: 5, maxLength: 60 })
  .map((steps) => () => {
    const held: Held[] = [];
    for (const s of steps) {
      take(held, s);
      if (s.which % 4 === 0) for (const one of held) compare(one);
    }
    for (const one of held) compare(one);
  });
