/**
 * @file The rows in jax-js with its WebAssembly backend. A call takes its operands (`ref` keeps them), what is left is disposed of; nothing
 * is computed before somebody waits for it, so each call is waited for. Timed as it is written and under `jit`.
 * @original
 */
import { type Case, LOSSES, type Open, operands, type Package, type Row } from "./rows.ts";
import { jax_steps } from "./steps.ts";

const NAME: string = "@jax-js/jax";

export const open: Open = async () => {
  const jax = await import(NAME);
  await jax.init("wasm");
  jax.defaultDevice("wasm");
  return {
    // As many threads as the machine has where there are Web Workers, whatever is wished; Node has none.
    threads: "Worker" in globalThis ? navigator.hardwareConcurrency : 1,
    awaited: true,
    make: (row) => (row.op === "train" ? step(jax, row) : operation(jax, row)),
  };
};

function operation({ numpy: np, nn, jit }: Package, row: Row): Case {
  const [a, b] = operands(row).map((data) => np.array(data).reshape([...row.shape]));
  const functions: Readonly<Record<string, (x: Package, y: Package) => Package>> = {
    add: (x, y) => np.add(x, y),
    mul: (x, y) => np.multiply(x, y),
    exp: (x) => np.exp(x),
    tanh: (x) => np.tanh(x),
    sum: (x) => np.sum(x),
    softmax: (x) => nn.softmax(x, -1),
    mm: (x, y) => np.matmul(x, y),
    bmm: (x, y) => np.matmul(x, y),
  };
  const fn = functions[row.op];
  const compiled = jit(fn.length === 1 ? (x: Package) => fn(x, undefined) : fn);
  const call = (f: Package) => (fn.length === 1 ? f(a.ref) : f(a.ref, b.ref));
  const way = (f: Package) => async () => {
    const made = call(f);
    await made.blockUntilReady();
    made.dispose();
  };
  return { ways: [way(fn), way(compiled)], result: () => call(fn).data() };
}

function step(jax: Package, row: Row): Case {
  const { eager, compiled } = jax_steps(jax, row.shape);
  return {
    ways: [async () => (await eager()).dispose(), async () => (await compiled()).dispose()],
    async result() {
      const losses: number[] = [];
      for (let i = 0; i < LOSSES; i++) losses.push((await (await compiled()).data())[0]);
      return losses;
    },
  };
}
