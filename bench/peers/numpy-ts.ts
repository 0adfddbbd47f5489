/**
 * @file The rows in numpy-ts, which computes at once. The collector frees; its documents advise `dispose` in tight loops and benchmarks.
 * Softmax is put together from its operators; it has no gradients.
 * @original
 */
import { type Case, type Open, operands, type Package, type Row } from "./rows.ts";

const NAME: string = "numpy-ts";

export const open: Open = async () => {
  const np = await import(NAME);
  return {
    threads: 1,
    awaited: false,
    make: (row) => (row.op === "train" ? null : operation(np, row)),
  };
};

function softmax(np: Package, x: Package): Package {
  const most = np.max(x, 1, true);
  const below = np.subtract(x, most);
  const powers = np.exp(below);
  const sums = np.sum(powers, 1, true);
  const made = np.divide(powers, sums);
  for (const between of [most, below, powers, sums]) between.dispose();
  return made;
}

function operation(np: Package, row: Row): Case {
  const [a, b] = operands(row).map((data) => np.frombuffer(data, "float32").reshape(...row.shape));
  if (row.op === "sum") return { ways: [() => np.sum(a)], result: () => [np.sum(a)] };
  const call = {
    add: () => np.add(a, b),
    mul: () => np.multiply(a, b),
    exp: () => np.exp(a),
    tanh: () => np.tanh(a),
    softmax: () => softmax(np, a),
    mm: () => np.matmul(a, b),
    bmm: () => np.matmul(a, b),
  }[row.op as Exclude<Row["op"], "train" | "sum">];
  return { ways: [() => call().dispose()], result: () => call().data };
}
