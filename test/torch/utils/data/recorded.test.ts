/**
 * torch.utils.data compared with PyTorch: values, numbers drawn from the default generator, refusals, warnings. Recorded by
 * tools/oracle/record_data.py; every case is an expression over the helpers below, which its Python has too.
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { setWarningHandler, type Warning } from "#c10/util/Exception";
import { type Any, dtypeName, readFixture } from "../../../helpers/recorded.ts";

const { data } = torch.utils;

class Squares extends data.Dataset {
  readonly n: number;
  constructor(n: number) {
    super();
    this.n = n;
  }
  __len__(): number {
    return this.n;
  }
  override __getitem__(i: number): Any {
    if (i >= this.n) throw Object.assign(new Error("no such square"), { name: "IndexError" });
    return { x: torch.tensor([i, i * i]), name: `item${i}`, y: i + 0.5 };
  }
}

class Count extends data.IterableDataset<number> {
  readonly n: number;
  constructor(n: number) {
    super();
    this.n = n;
  }
  *__iter__(): IterableIterator<number> {
    for (let i = 0; i < this.n; i++) yield i;
  }
}

class Short extends Count {
  __len__(): number {
    return this.n - 2;
  }
  __repr__(): string {
    return "Short()";
  }
}

class Batched extends Squares {
  __getitems__(indices: number[]): Any {
    return indices.map((i) => i * 10);
  }
}

class Wrong extends Squares {
  __getitems__(_indices: number[]): Any {
    return [0];
  }
}

class Drawing extends data.Dataset {
  __len__(): number {
    return 5;
  }
  override __getitem__(_i: number): Any {
    return torch.rand(2);
  }
}

class Reversed extends data.Sampler {
  readonly n: number;
  constructor(n: number) {
    super();
    this.n = n;
  }
  override *__iter__(): IterableIterator<number> {
    for (let i = this.n - 1; i >= 0; i--) yield i;
  }
}

class BadSubset extends data.Subset {
  override __getitem__(_i: Any): number {
    return 0;
  }
}

function take(iterable: Iterable<Any>, n: number): Any[] {
  const iterator = iterable[Symbol.iterator]();
  return Array.from({ length: n }, () => iterator.next().value);
}

const helpers = {
  torch,
  data,
  Squares,
  Count,
  Short,
  Batched,
  Wrong,
  Drawing,
  Reversed,
  BadSubset,
  range: (n: number) => Array.from({ length: n }, (_, i) => i),
  gen: (seed: number) => new torch.Generator().manual_seed(seed),
  tensors: (n: number) =>
    new data.TensorDataset(
      torch.arange(n),
      torch
        .arange(2 * n)
        .view(n, 2)
        .mul(0.5),
    ),
  take,
  passes: (loader: Iterable<Any>, n: number) => Array.from({ length: n }, () => [...loader]),
  set: (object: Any, name: string, value: Any) => {
    object[name] = value;
    return null;
  },
};

function encode(v: Any): Any {
  if (v === null || v === undefined) return null;
  if (v instanceof torch.Tensor) return { tensor: [dtypeName(v), [...v.shape], v.flatten().tolist()] };
  if (Array.isArray(v)) return v.map(encode);
  if (v instanceof Map) return { dict: [...v].map(([key, value]) => [encode(key), encode(value)]) };
  if (typeof v !== "object") return v;
  if (Object.getPrototypeOf(v) === Object.prototype)
    return { dict: Object.entries(v).map(([key, value]) => [key, encode(value)]) };
  return { object: v.constructor.name };
}

/** Also where the text is not yet understood, as in Python: the names are parameters. */
function outcome(text: string): Any {
  const warnings: [string, string][] = [];
  const before = setWarningHandler(({ type, msg }: Warning) => warnings.push([type, msg]));
  torch.manual_seed(0);
  try {
    const value = encode(new Function(...Object.keys(helpers), `return ${text};`)(...Object.values(helpers)));
    return { value, after: torch.rand(2).tolist(), warnings };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: name, message, warnings };
  } finally {
    setWarningHandler(before);
  }
}

type Row = readonly [group: string, typescript: string, python: string, outcome: Any];
const recorded = readFixture<{ torch: string; rows: Row[] }>(
  new URL("../../../fixtures/data/data.json.gz", import.meta.url),
);

/** `torch.multinomial` comes with its own kernels. */
const has_multinomial = "multinomial" in torch;

describe.each([...new Set(recorded.rows.map(([group]) => group))])("%s", (group) => {
  const rows = recorded.rows.filter((row) => row[0] === group);
  test.each(rows)("%s: %s", (_, typescript, _python, expected) => {
    const got = outcome(typescript);
    if (group === "weighted" && !has_multinomial) {
      expect(got).toMatchObject({ error: "NotImplementedError", message: expect.stringContaining("multinomial") });
    } else expect(got).toEqual(expected);
  });
});

test("recorded from the reference", () => {
  expect(recorded.torch).toBe("2.13.0+cpu");
});
