/**
 * Loading in worker threads: the same batches in the same order, and the same numbers drawn, as without. Each of these starts threads that
 * load the library anew: for most it is linked into one file here, which takes them a fifth of the time. Two tests have it as it is written.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import torch from "glasstorch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Any } from "../../../helpers/recorded.ts";
import { Count, Kinds, Rows, Squares } from "./modules/datasets.ts";

const { data } = torch.utils;
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const written = new URL("./modules/datasets.ts", import.meta.url);

/** A program of JavaScript beside a package of JavaScript. */
const folder = mkdtempSync(join(tmpdir(), "glasstorch-workers-"));
const module = pathToFileURL(join(folder, "datasets.mjs"));
const at = (name: string, ...args: unknown[]) => ({ module, export: name, args });
beforeAll(() => {
  const [name, main] = ["glasstorch", "index.mjs"];
  const library = join(folder, "node_modules", name);
  const options = { bundle: true, platform: "node", format: "esm" } as const;
  buildSync({ ...options, entryPoints: [join(root, "src/index.ts")], outfile: join(library, main) });
  writeFileSync(join(library, "package.json"), JSON.stringify({ name, main }));
  buildSync({ ...options, entryPoints: [fileURLToPath(written)], external: [name], outfile: fileURLToPath(module) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plain(value: Any): Any {
  if (value instanceof torch.Tensor) return [String(value.dtype), [...value.stride()], value.tolist()];
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return ["map", ...[...value].map(plain)];
  if (value instanceof torch.Float) return ["float", value.valueOf()];
  if (value !== null && typeof value === "object" && !ArrayBuffer.isView(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
  return value;
}

/** A pass's batches, and what the default generator gives then. */
function seen(make: () => Iterable<Any>): Any {
  torch.manual_seed(11);
  const batches = plain([...make()]);
  return { batches, after: torch.rand(2).tolist() };
}

function thrown(body: () => unknown): Error {
  try {
    body();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

describe("as without workers", () => {
  test("shuffled, a last batch that is smaller, arguments of a dataset", () => {
    const options = { batch_size: 3, shuffle: true };
    const expected = seen(() => new data.DataLoader(new Squares(10, { scale: 2 }), options));
    for (const address of [at("Squares", 10, { scale: 2 }), { ...at("Squares", 10, { scale: 2 }), module: written }])
      expect(seen(() => new data.DataLoader(address, { ...options, num_workers: 2 }))).toEqual(expected);
  });

  test("a generator of its own, drop_last, __getitems__, a tensor as argument", () => {
    const rows = torch.arange(14).view(7, 2);
    const options = { batch_size: 2, shuffle: true, drop_last: true };
    const gen = () => new torch.Generator().manual_seed(4);
    const expected = seen(() => new data.DataLoader(new Rows(rows), { ...options, generator: gen() }));
    const loader = new data.DataLoader(at("Rows", rows), { ...options, generator: gen(), num_workers: 1 });
    expect(seen(() => loader)).toEqual(expected);
    expect(loader.__len__()).toBe(3);
    expect(loader.prefetch_factor).toBe(2);
  });

  test("values of every kind, without batches", () => {
    const expected = seen(() => new data.DataLoader(new Kinds(), { batch_size: null, sampler: [1, 0] }));
    const got = seen(() => new data.DataLoader(at("Kinds"), { batch_size: null, sampler: [1, 0], num_workers: 1 }));
    expect(got).toEqual(expected);
  });

  test("a module's address as text; what a function gives; a function to collate with, which runs here", () => {
    const address = { module: module.href, export: "letters", args: ["abc"] };
    const here: unknown[] = [];
    const collate_fn = (batch: string[]) => here.push(batch);
    const loader = new data.DataLoader(address, { batch_size: 2, collate_fn, num_workers: 1 });
    expect([...loader]).toEqual([1, 2]);
    expect(here).toEqual([["a", "b"], ["c"]]);
  });
});

test("workers persist: the second pass has the same ones, and draws no base seed", () => {
  const loader = new data.DataLoader(at("Asking"), { batch_size: 2, num_workers: 2, persistent_workers: true });
  const all = (batches: Any[], name: string) => batches.flatMap((batch) => batch[name].tolist());
  torch.manual_seed(5);
  const base_seed = torch.empty([], { dtype: torch.int64 }).random_().item();
  const behind = torch.rand(1).item();
  torch.manual_seed(5);
  const [first, second] = [[...loader], [...loader]];
  expect(torch.rand(1).item()).toBe(behind);
  for (const pass of [first, second]) {
    expect(all(pass, "i")).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(all(pass, "id")).toEqual([0, 0, 1, 1, 0, 0, 1, 1]);
    expect(all(pass, "of")).toEqual(Array(8).fill(2));
    expect(all(pass, "own")).toEqual(Array(8).fill(true));
    expect(all(pass, "seed")).toEqual([0, 0, 1, 1, 0, 0, 1, 1].map((id) => BigInt(base_seed) + BigInt(id)));
  }
  // Each worker's generator begins at its seed, and goes on in the second pass.
  torch.manual_seed(BigInt(base_seed) + 1n);
  const drawn = Array.from({ length: 8 }, () => torch.rand(1).item());
  const of_worker_1 = [first, second].flatMap((pass) => all([pass[1], pass[3]], "drawn").flat());
  expect(of_worker_1).toEqual(drawn);
  expect(data.get_worker_info()).toBe(null);
});

describe("streams", () => {
  test("each worker gives its share, in turn", () => {
    const loader = new data.DataLoader(at("Count", 7), { batch_size: 2, num_workers: 2 });
    const batches = [...loader].map((batch) => batch.tolist());
    expect(batches).toEqual([[0, 2], [1, 3], [4, 6], [5]]);
    expect(() => loader.__len__()).toThrow("object of type 'Count' has no len()");
  });

  test("one worker is as none, and persists", () => {
    const options = { batch_size: 2, drop_last: true };
    const expected = plain([...new data.DataLoader(new Count(5), options)]);
    const loader = new data.DataLoader(at("Count", 5), { ...options, num_workers: 1, persistent_workers: true });
    expect([plain([...loader]), plain([...loader])]).toEqual([expected, expected]);
  });

  test("is a stream for the checks of arguments, too", () => {
    const make = () => new data.DataLoader(at("Count", 5), { shuffle: true, num_workers: 1 });
    expect(make).toThrow("DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle=True");
  });
});

describe("what goes wrong over there", () => {
  const pass = (how: string, options = {}) =>
    thrown(() => [...new data.DataLoader(at("Leaving", how), { num_workers: 1, ...options })]);

  test("errors are raised in their turn, and the pass goes on", () => {
    const batches = new data.DataLoader(at("Failing", ""), { batch_size: null, num_workers: 1 })[Symbol.iterator]();
    expect(batches.next().value).toBe(0);
    const of_the_library = thrown(() => batches.next());
    expect(of_the_library.name).toBe("RuntimeError");
    expect(of_the_library.message).toMatch(
      /^Caught RuntimeError in DataLoader worker thread 0\.\nOriginal RuntimeError: shape '\[3\]' is invalid/,
    );
    expect(of_the_library.message).toMatch(/Failing\.__getitem__ .*datasets\.mjs/);
    const of_javascript = thrown(() => batches.next());
    expect(of_javascript).toMatchObject({ name: "TypeError", message: expect.stringContaining("undefined") });
    expect(thrown(() => batches.next()).message).toContain("not a symbol");
    expect(batches.next().value).toBe(4);
    expect(batches.next().done).toBe(true);
  });
  test("a dataset that cannot be built says so when the loader is made", () => {
    const error = thrown(() => new data.DataLoader(at("Failing", "build"), { num_workers: 1 }));
    expect(error).toMatchObject({ name: "RangeError", message: expect.stringContaining("no such data") });
  });
  test("a worker that exits", () => {
    expect(pass("exit").message).toMatch(/^DataLoader worker \(pid\(s\) \d+\) exited unexpectedly$/);
  });
  test("a worker that takes too long", () => {
    expect(pass("sleep", { timeout: 0.5 }).message).toBe("DataLoader timed out after 0.5 seconds");
  });
  test("an export, a module that is not there", () => {
    expect(() => new data.DataLoader(at("None"), { num_workers: 1 })).toThrow("exports no 'None'");
    const nowhere = { module: new URL("none.mjs", module), export: "None" };
    expect(() => new data.DataLoader(nowhere, { num_workers: 1 })).toThrow("none.mjs");
  });
});

test("worker_init_fn and collate_fn, by address", () => {
  const [worker_init_fn, collate_fn] = ["remember", "doubled"].map((name) => ({ module, export: name }));
  const loader = new data.DataLoader(at("Remembering"), { num_workers: 2, worker_init_fn, collate_fn });
  expect([...loader]).toEqual([[0], [2], [0], [2]]);
});

test("a worker_init_fn that throws", () => {
  const worker_init_fn = { module, export: "refuse" };
  const loader = new data.DataLoader(at("Remembering"), { num_workers: 1, worker_init_fn });
  const error = thrown(() => [...loader]);
  expect(error).toMatchObject({ name: "ValueError", message: expect.stringContaining("not 0") });
});

test("a pass that is left early, and a later one", () => {
  const loader = new data.DataLoader(at("Squares", 9), { num_workers: 1 });
  const first = (): Any => {
    for (const [x] of loader) return x.tolist();
  };
  expect([first(), first()]).toEqual([[[0, 0]], [[0, 0]]]);
});

describe("refused", () => {
  test("any other dataset", () => {
    for (const dataset of [[1, 2], new Squares(3), new data.TensorDataset(torch.ones(2)), new Count(3)]) {
      const make = () => new data.DataLoader(dataset, { num_workers: 2 });
      expect(make).toThrow("give the dataset as {module, export, args}");
      expect(thrown(make).name).toBe("ValueError");
    }
  });
  test("an address without workers", () => {
    expect(() => new data.DataLoader(at("Squares", 3), {})).toThrow("import the module and give the dataset itself");
  });
  test("other ways to start one", () => {
    const fork = () => new data.DataLoader(at("Squares", 3), { num_workers: 1, multiprocessing_context: "fork" });
    expect(fork).toThrow("should specify a valid start method in ['thread'], but got multiprocessing_context='fork'");
  });
  test("prefetch_factor 0, a function for worker_init_fn", () => {
    const loader = new data.DataLoader(at("Squares", 3), { num_workers: 1, prefetch_factor: 0 });
    expect(() => [...loader]).toThrow("prefetch_factor must be greater than 0");
    loader.prefetch_factor = 2;
    loader.worker_init_fn = () => 0;
    expect(() => [...loader]).toThrow("give it as {module, export}");
  });
});

test("under tsx, and the process ends though workers are left", () => {
  const program = fileURLToPath(new URL("./modules/program.ts", import.meta.url));
  const printed = execFileSync(process.execPath, ["--import", "tsx", program], { cwd: root, encoding: "utf8" });
  expect(printed.trim()).toBe("[[[[0,0],[1,1]],[0.5,1.5]],[[[2,4]],[2.5]]] 1");
});
