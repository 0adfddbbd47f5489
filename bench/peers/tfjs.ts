/**
 * @file The rows in TensorFlow.js with its WebAssembly backend, which computes at once. What is not disposed of is never freed: `dispose`
 * for one tensor, `tidy` for what is made in between.
 * @original
 */
import { type Case, LOSSES, type Open, operands, type Package, type Row } from "./rows.ts";
import { tfjs_step } from "./steps.ts";

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
  const train = tfjs_step(tf, row.shape);
  return {
    ways: [() => tf.tidy(() => void train(false))],
    result: () => Array.from({ length: LOSSES }, () => train(true).dataSync()[0]),
  };
}
