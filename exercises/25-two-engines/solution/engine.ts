/**
 * @file Another engine: it reads the weights that PyTorch has saved, and runs the model with loops of its own.
 * @original
 */

export interface Array4 {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** y = x @ weight.T + bias, for x of shape (N, in). */
export function linear(x: Array4, weight: Array4, bias: Array4): Array4 {
  const [n] = x.shape as [number];
  const [outs, ins] = weight.shape as [number, number];
  const values: number[] = [];
  for (let i = 0; i < n; i++)
    for (let o = 0; o < outs; o++) {
      let sum = bias.values[o] as number;
      for (let j = 0; j < ins; j++) sum += (x.values[i * ins + j] as number) * (weight.values[o * ins + j] as number);
      values.push(Math.fround(sum));
    }
  return { shape: [n, outs], values };
}

/** x where it is above zero, elsewhere x times the weight of its channel. Dimension 1 is the channel; with one weight it serves all. */
export function prelu(x: Array4, weight: Array4): Array4 {
  // ex:begin(25.mended)
  const channels = x.shape.length < 2 ? 1 : (x.shape[1] as number);
  const inner = x.shape.slice(2).reduce((a, b) => a * b, 1); // elements of one channel of one sample
  const slope = (i: number): number => {
    const channel = weight.values.length === 1 ? 0 : Math.floor(i / inner) % channels;
    return weight.values[channel] as number;
  };
  // ex:stub
  // const slope = (_i: number): number => weight.values[0] as number;
  // ex:end
  const values = x.values.map((value, i) => (value > 0 ? value : Math.fround(value * slope(i))));
  return { shape: x.shape, values };
}
