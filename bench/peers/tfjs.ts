/**
 * @file The rows in TensorFlow.js with its WebAssembly backend, which computes at once. What is not disposed of is never freed: `dispose`
 * for one tensor, `tidy` for what is made in between.
 * @original
 */
import { type Case, LEARNING_RATE, LOSSES, type Open, operands, type Package, type Row, training } from "./rows.ts";

const TFJS: string = "@tensorflow/tfjs"; // tfjs-core alone has no gradients under Node
const WASM: string = "@tensorflow/tfjs-backend-wasm";

export const open: Open = async (threads) => {
  const tf = await import(TFJS);
  const wasm = await import(WASM);
  wasm.setThreadsCount(threads); // must come before the backend
  await tf.setBackend("wasm");
  await tf.ready();
  if (tf.getBackend() !== "wasm") throw new Error("the WebAssembly backend did not start");
  const has_threads = await tf.env().getAsync("WASM_HAS_MULTITHREAD_SUPPORT"); // never under Node
  return {
    threads: has_threads ? wasm.getThreadsCount() : 1,
    awaited: false,
    make: (row) => (row.op === "train" ? step(tf, row) : operation(tf, row)),
  };
};

function operation(tf: Package, row: Row): Case {
  const [a, b] = operands(row).map((data) => tf.tensor(data, [...row.shape]));
  const call = {
    add: () => tf.add(a, b),
    mul: () => tf.mul(a, b),
    exp: () => tf.exp(a),
    tanh: () => tf.tanh(a),
    sum: () => tf.sum(a),
    softmax: () => tf.softmax(a),
    mm: () => tf.matMul(a, b),
    bmm: () => tf.matMul(a, b),
  }[row.op as Exclude<Row["op"], "train">];
  return { ways: [() => call().dispose(), () => void tf.tidy(call).dispose()], result: () => call().dataSync() };
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
  const way = () => tf.tidy(() => void sgd.minimize(loss));
  const losses = () => Array.from({ length: LOSSES }, () => sgd.minimize(loss, true).dataSync()[0]);
  return { ways: [way], result: losses };
}
