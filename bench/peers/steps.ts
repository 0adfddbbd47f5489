/**
 * @file A step of training, as each library's users write it: the same net, numbers and learning rate, on whichever device the library is.
 * @original
 */
import { LEARNING_RATE, type Package, type Row, training } from "./rows.ts";

type Shape = Row["shape"];

/** Gives the loss. */
export function glasstorch_step(torch: Package, shape: Shape, device: string): () => Package {
  const { batch, features, images, labels, w1, b1, w2, b2 } = training(shape);
  const F = torch.nn.functional;
  const parameter = (to: Package, data: Float32Array, shape: number[]): void => {
    const values = torch.tensor(data).reshape(shape);
    to.detach().copy_(shape.length === 2 ? values.t() : values); // a Linear's weight is (out, in)
  };
  const hidden = new torch.nn.Linear(features, b1.length);
  const last = new torch.nn.Linear(b1.length, b2.length);
  parameter(hidden.weight, w1, [features, b1.length]);
  parameter(hidden.bias, b1, [b1.length]);
  parameter(last.weight, w2, [b1.length, b2.length]);
  parameter(last.bias, b2, [b2.length]);
  hidden.to(device);
  last.to(device);
  const sgd = new torch.optim.SGD([...hidden.parameters(), ...last.parameters()], { lr: LEARNING_RATE });
  const x = torch.tensor(images).reshape([batch, features]).to(device);
  const y = torch.tensor([...labels]).to(device);
  return () => {
    sgd.zero_grad();
    const loss = F.cross_entropy(last(F.relu(hidden(x))), y);
    loss.backward();
    sgd.step();
    return loss;
  };
}

/** As it is written, and under `jit`: each gives the loss when the step is done. */
export function jax_steps(
  { numpy: np, nn, jit, tree, valueAndGrad, blockUntilReady }: Package,
  shape: Shape,
): Readonly<Record<"eager" | "compiled", () => Promise<Package>>> {
  const { batch, features, images, one_hot, w1, b1, w2, b2 } = training(shape);
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
  const step = (f: typeof update) => async (): Promise<Package> => {
    const [value, next] = f(parameters, x.ref, y.ref);
    parameters = next;
    await blockUntilReady([value, next]);
    return value;
  };
  return { eager: step(update), compiled: step(jit(update)) };
}

/** Gives the loss if `wanted`; call it within `tidy`. */
export function tfjs_step(tf: Package, shape: Shape): (wanted: boolean) => Package {
  const { batch, features, images, one_hot, w1, b1, w2, b2 } = training(shape);
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
  return (wanted) => sgd.minimize(loss, wanted);
}
