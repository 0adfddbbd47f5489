/**
 * @file The rows in jax-js with its WebGPU backend. A call takes its operands (`ref` keeps them). Timed as it is written and under `jit`; but
 * the chain only as written: `jit` would make one kernel of all its links.
 * @original
 */
import { type Case, LOSSES, type Package } from "../rows.ts";
import { jax_steps } from "../steps.ts";
import { LINKS, type OpenOnDevice, operands, type Row } from "./rows.ts";
import { serve } from "./serve.ts";

const open: OpenOnDevice = async () => {
  const jax: Package = await import("@jax-js/jax" as string);
  const started: readonly string[] = await jax.init("webgpu");
  if (!started.includes("webgpu")) throw new Error("the WebGPU backend did not start");
  jax.defaultDevice("webgpu");
  return { make: (row) => (row.op === "train" ? step(jax, row) : operation(jax, row)) };
};

function operation({ numpy: np, nn, jit }: Package, row: Row): Case {
  const [a, b] = operands(row).map((data) => np.array(data).reshape([...row.shape]));
  const fn = {
    mm: (x: Package, y: Package) => np.matmul(x, y),
    sum: (x: Package) => np.sum(x),
    softmax: (x: Package) => nn.softmax(x, -1),
    add: (x: Package, y: Package) => np.add(x, y),
    chain(x: Package, y: Package) {
      let sum = x;
      for (let i = 0; i < LINKS; i++) sum = np.add(sum, y.ref);
      y.dispose();
      return sum;
    },
  }[row.op as Exclude<Row["op"], "train">];
  const call = (f: Package) => (fn.length === 1 ? f(a.ref) : f(a.ref, b.ref));
  const compiled = jit(fn.length === 1 ? (x: Package) => (fn as (x: Package) => Package)(x) : fn);
  const first = row.op === "sum" ? [] : row.shape.map(() => 0);
  const way = (f: Package) => async (): Promise<number> => {
    const made = call(f);
    const [value] = await (first.length === 0 ? made : made.slice(...first)).data();
    return value;
  };
  return { ways: row.op === "chain" ? [way(fn)] : [way(fn), way(compiled)], result: () => call(fn).data() };
}

function step(jax: Package, row: Row): Case {
  const { eager, compiled } = jax_steps(jax, row.shape);
  const way = (train: typeof eager) => async (): Promise<number> => {
    const [number] = await (await train()).data();
    return number;
  };
  const fast = way(compiled);
  return {
    ways: [way(eager), fast],
    async result() {
      const losses: number[] = [];
      for (let i = 0; i < LOSSES; i++) losses.push(await fast());
      return losses;
    },
  };
}

serve(open);
