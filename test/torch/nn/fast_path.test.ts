/** @file Attention and an encoder's layer in one operator, as PyTorch gave it; and when a module takes that way. */
import torch, { type Module, type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { afterEach, describe, expect, test } from "vitest";
import { readFixture } from "../../helpers/recorded.ts";

interface Told {
  readonly shape: readonly number[];
  readonly data: readonly (number | boolean | "nan")[];
  readonly requires_grad?: boolean;
}
type Value = Told | number | boolean | null | readonly Value[];
interface Case {
  readonly name: "_masked_softmax";
  readonly args: readonly Value[];
  readonly result?: Value;
  readonly error?: readonly [kind: string, message: string];
  readonly node?: string;
  readonly grads?: readonly Told[];
}
interface Encoder {
  readonly mask_check: boolean;
  readonly padded: string;
  readonly mask: readonly (readonly number[])[];
  readonly result: Told;
}
const { cases, encoders } = readFixture<{ cases: readonly Case[]; encoders: readonly Encoder[] }>(
  new URL("../../fixtures/nn/fast_path.json.gz", import.meta.url),
);

const isTold = (value: Value): value is Told => typeof value === "object" && value !== null && "shape" in value;

function made(value: Value): unknown {
  if (!isTold(value)) return value;
  const { data, shape, requires_grad = false } = value;
  const dtype = typeof data[0] === "boolean" ? torch.bool : torch.float32;
  const numbers = data.map((v) => (v === "nan" ? Number.NaN : Number(v)));
  return torch
    .tensor(numbers, { dtype })
    .reshape([...shape])
    .requires_grad_(requires_grad);
}

function near(actual: unknown, expected: Value): void {
  if (Array.isArray(expected)) {
    for (const [k, each] of expected.entries()) near((actual as unknown[])[k], each);
    return;
  }
  if (!isTold(expected as Value)) {
    expect(actual).toBe(expected);
    return;
  }
  const { shape, data } = expected as Told;
  const t = actual as Tensor;
  expect(t.shape).toEqual(shape);
  const values = t.detach().flatten().tolist() as number[];
  for (const [k, v] of values.entries()) {
    if (data[k] === "nan") expect(v).toBeNaN();
    else expect(Math.abs(v - Number(data[k]))).toBeLessThanOrEqual(1e-5 + 1e-5 * Math.abs(Number(data[k])));
  }
}

/** The formula of record_fast_path.py. */
function weights(shape: readonly number[], seed: number): Tensor {
  const n = shape.reduce((all, size) => all * size, 1);
  const at = (i: number): number => Math.sin(i * 1.7 + seed) + 0.3 * Math.cos(i * 0.31 * seed);
  return torch.tensor(Array.from({ length: n }, (_, i) => at(i))).reshape([...shape]);
}

test.each(cases.map((c, i) => [`${c.name} ${i}`, c] as const))(
  "%s",
  (_, { name, args, result, error, node, grads }) => {
    const given = args.map(made);
    const call = (): unknown => (torch[name] as (...args: unknown[]) => unknown)(...given);
    if (error !== undefined) {
      const [kind, message] = error;
      expect(call).toThrow(expect.objectContaining({ name: kind, message: expect.stringContaining(message) }));
      return;
    }
    const got = call();
    near(got, result as Value);
    if (node === undefined) return;
    const t = got as Tensor;
    expect(t.grad_fn?.name()).toBe(node);
    t.mul(weights(t.shape, 22)).sum().backward();
    const leaves = given.filter((arg): arg is Tensor => arg instanceof torch.Tensor && arg.requires_grad);
    near(
      leaves.map((leaf) => leaf.grad),
      grads as readonly Told[],
    );
  },
);

describe("a module takes the way of one operator", () => {
  afterEach(() => torch.backends.mha.set_fastpath_enabled(true));

  const layer = (options = {}) => new torch.nn.TransformerEncoderLayer(8, 2, 12, { batch_first: true, ...options });
  const x = torch.randn([2, 5, 8]);
  const ways = (run: () => unknown): string[] =>
    record(() => torch.no_grad(run))
      .events.map(
        ({ name }) => /^at::_ops::(_transformer_encoder_layer_fwd|_native_multi_head_attention)::call$/.exec(name)?.[1],
      )
      .filter((name) => name !== undefined);
  const whole = ["_transformer_encoder_layer_fwd", "_native_multi_head_attention"];

  test("in evaluation, without gradients, and gets what the long way gets", () => {
    const net = layer().eval();
    expect(ways(() => net(x))).toEqual(whole);
    const src_key_padding_mask = torch.zeros([2, 5], { dtype: torch.bool });
    src_key_padding_mask.select(1, 4).fill_(true);
    const src_mask = torch.nn.Transformer.generate_square_subsequent_mask(5);
    for (const masks of [{}, { src_mask }, { src_key_padding_mask }, { src_mask, src_key_padding_mask }]) {
      const one = torch.no_grad(() => net(x, masks));
      torch.backends.mha.set_fastpath_enabled(false);
      expect(ways(() => net(x, masks))).toEqual([]);
      const other = torch.no_grad(() => net(x, masks));
      torch.backends.mha.set_fastpath_enabled(true);
      expect(one.sub(other).abs().max().item()).toBeLessThan(1e-5);
    }
  });

  test("not while it trains, nor with hooks, other activations, an odd number of heads, or sequences first", () => {
    const long: Module[] = [
      layer(),
      layer({ activation: torch.tanh }).eval(),
      layer({ batch_first: false }).eval(),
      layer({ bias: false }).eval(),
      new torch.nn.TransformerEncoderLayer(9, 3, 12, { batch_first: true }).eval(),
    ];
    const hooked = layer().eval();
    hooked.linear1.register_forward_hook(() => undefined);
    expect(ways(() => hooked(x))).toEqual(["_native_multi_head_attention"]);
    const of = (net: Module): Tensor => torch.randn([2, 5, (net as ReturnType<typeof layer>).linear1.in_features]);
    for (const net of long) expect(ways(() => net(of(net)))).not.toContain(whole[0]);
    const net = layer().eval();
    const names = record(() => net(x)).events.map(({ name }) => name);
    expect(names).not.toContain(`at::_ops::${whole[0]}::call`);
  });

  test("attention of a sequence to itself does; to another, or under a mask of floats, it does not", () => {
    const attention = new torch.nn.MultiheadAttention(8, 2, { batch_first: true }).eval();
    expect(ways(() => attention(x, x, x))).toEqual([whole[1]]);
    expect(ways(() => attention(x, x.clone(), x))).toEqual([]);
    expect(ways(() => attention(x, x, x, { attn_mask: torch.zeros([5, 5]) }))).toEqual([]);
    const [, weights] = torch.no_grad(() => attention(x, x, x, { need_weights: false }));
    expect(weights).toBe(null);
  });

  test("meta tensors get the shapes", () => {
    const net = layer({ device: "meta" }).eval();
    const out = torch.no_grad(() => net(x.to("meta")));
    expect([out.device.type, out.shape]).toEqual(["meta", [2, 5, 8]]);
  });
});

describe("an encoder leaves out what is padded", () => {
  test.each(encoders.map((each) => [each.padded, each.mask_check, each] as const))(
    "%s, mask_check %s",
    (_padded, mask_check, { mask, result }) => {
      const layer = new torch.nn.TransformerEncoderLayer(8, 2, 12, { batch_first: true });
      const net = new torch.nn.TransformerEncoder(layer, 2, new torch.nn.LayerNorm(8), { mask_check }).eval();
      const out = torch.no_grad(() => {
        for (const [k, p] of [...net.parameters()].entries()) p.copy_(weights([...p.shape], k + 1));
        const src_key_padding_mask = torch.tensor(mask).bool();
        return net(weights([2, 5, 8], 1), { src_key_padding_mask });
      });
      near(out, result);
    },
  );
});
