/**
 * @file The rows in TensorFlow.js with its WebGPU backend: `tidy` frees what is made in between, `dispose` the rest. Its documents read with
 * `data()`, all of a tensor; one element is a slice.
 * @original
 */
import { type Case, LOSSES, type Package } from "../rows.ts";
import { tfjs_step } from "../steps.ts";
import { LINKS, type OpenOnDevice, operands, type Row } from "./rows.ts";
import { serve } from "./serve.ts";

const open: OpenOnDevice = async () => {
  const tf: Package = await import("@tensorflow/tfjs" as string);
  await import("@tensorflow/tfjs-backend-webgpu" as string);
  await tf.setBackend("webgpu");
  await tf.ready();
  if (tf.getBackend() !== "webgpu") throw new Error("the WebGPU backend did not start");
  return { make: (row) => (row.op === "train" ? step(tf, row) : operation(tf, row)) };
};

function operation(tf: Package, row: Row): Case {
  const [a, b] = operands(row).map((data) => tf.tensor(data, [...row.shape]));
  const call = {
    mm: () => tf.matMul(a, b),
    sum: () => tf.sum(a),
    softmax: () => tf.softmax(a),
    add: () => tf.add(a, b),
    chain() {
      let x = a;
      for (let i = 0; i < LINKS; i++) x = tf.add(x, b);
      return x;
    },
  }[row.op as Exclude<Row["op"], "train">];
  const way = async (): Promise<number> => {
    const first = tf.tidy(() => tf.slice(tf.reshape(call(), [-1]), [0], [1]));
    const [value] = await first.data();
    first.dispose();
    return value;
  };
  return { ways: [way], result: () => tf.tidy(call).data() };
}

function step(tf: Package, row: Row): Case {
  const train = tfjs_step(tf, row.shape);
  const way = async (): Promise<number> => {
    const made = tf.tidy(() => train(true));
    const [value] = await made.data();
    made.dispose();
    return value;
  };
  return {
    ways: [way],
    async result() {
      const losses: number[] = [];
      for (let i = 0; i < LOSSES; i++) losses.push(await way());
      return losses;
    },
  };
}

serve(open);
