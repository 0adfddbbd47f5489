/**
 * @file The rows in jax-js with its WebGPU backend. A call takes its operands (`ref` keeps them). Timed as it is written and under `jit`; but
 * the chain only as written: `jit` would make one kernel of all its links.
 * @original
 */
import { type Case, LEARNING_RATE, LOSSES, type Package, training } from "../rows.ts";
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

function step({ numpy: np, nn, jit, tree, valueAndGrad, blockUntilReady }: Package, row: Row): Case {
  const { batch, features, images, one_hot, w1, b1, w2, b2 } = training(row.shape);
  let parameters = {
    w1: np.array(w1).reshape([features, b1.length]),
    b1: np.array(b1),
    w2: np.array(w2).reshape([b1.length, b2.length]),
    b2: np.array(b2),
  };
  const x = np.array(images).reshape([batch, features]);
  const y = np.array(one_hot).reshape([batch, b2.length]);
  const loss = (p: typeof parameters, images: Package, wanted: Package): Package => {
    const hidden = nn.relu(np.matmul(images, p.w1).add(p.b1));
    const scores = np.matmul(hidden, p.w2).add(p.b2);
    return nn.logSoftmax(scores).mul(wanted).sum(-1).mean().neg();
  };
  const update = (p: typeof parameters, images: Package, wanted: Package): [Package, typeof parameters] => {
    const [value, gradients] = valueAndGrad(loss)(tree.ref(p), images, wanted);
    return [value, tree.map((of: Package, by: Package) => of.sub(by.mul(LEARNING_RATE)), p, gradients)];
  };
  const way = (f: typeof update) => async (): Promise<number> => {
    const [value, next] = f(parameters, x.ref, y.ref);
    parameters = next;
    await blockUntilReady([value, next]);
    const [number] = await value.data();
    return number;
  };
  const compiled = way(jit(update));
  return {
    ways: [way(update), compiled],
    async result() {
      const losses: number[] = [];
      for (let i = 0; i < LOSSES; i++) losses.push(await compiled());
      return losses;
    },
  };
}

serve(open);
