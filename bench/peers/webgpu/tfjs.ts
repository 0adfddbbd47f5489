/**
 * @file The rows in TensorFlow.js with its WebGPU backend: `tidy` frees what is made in between, `dispose` the rest. Its documents read with
 * `data()`, all of a tensor; one element is a slice.
 * @original
 */
import { type Case, LEARNING_RATE, LOSSES, type Package, training } from "../rows.ts";
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
  const { batch, features, images, one_hot, w1, b1, w2, b2 } = training(row.shape);
  const variable = (data: Float32Array, ...shape: number[]) => tf.variable(tf.tensor(data, shape));
  const [W1, B1] = [variable(w1, features, b1.length), variable(b1, b1.length)];
  const [W2, B2] = [variable(w2, b1.length, b2.length), variable(b2, b2.length)];
  const x = tf.tensor(images, [batch, features]);
  const y = tf.tensor(one_hot, [batch, b2.length]);
  const sgd = tf.train.sgd(LEARNING_RATE);
  const loss = () => {
    const hidden = tf.relu(tf.add(tf.matMul(x, W1), B1));
    return tf.losses.softmaxCrossEntropy(y, tf.add(tf.matMul(hidden, W2), B2));
  };
  const way = async (): Promise<number> => {
    const made = tf.tidy(() => sgd.minimize(loss, true));
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
