/**
 * @file Cross entropy of a linear layer, computed in chunks of the batch, so that the scores of all rows never exist at once.
 * @mirrors torch/nn/modules/linear_cross_entropy.py
 * @differs In ours all policies sum in `acc_dtype`, as "accurate" does, and the operators are defined at the first call; PyTorch sums
 * differently under the other policies and defines the operators when the module loads.
 */
import { NotImplementedError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { type CustomOpDef, custom_op } from "#torch/_library/custom_ops";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { dtype } from "#torch/types";

interface Call {
  readonly input: Tensor; // (N, F)
  readonly linear_weight: Tensor; // (C, F)
  readonly target: Tensor; // (N), int64
  readonly linear_bias: Tensor | null; // (C)
  readonly weight: Tensor | null; // (C)
  readonly reduction: "mean" | "sum" | "none";
  readonly ignore_index: number;
  readonly batch_chunk_size: number;
  readonly acc_dtype: dtype;
}

type Wanted = readonly [input: boolean, linear_weight: boolean, linear_bias: boolean];
type Gradients = [input: Tensor, linear_weight: Tensor, linear_bias: Tensor];

const NO_GRADIENTS: Wanted = [false, false, false];

function check_call({ input, linear_weight, target, linear_bias, acc_dtype }: Call, label_smoothing: number): void {
  if (target.dtype !== torch.int64)
    throw new TypeError_(`linear_cross_entropy: target dtype must be torch.int64, got ${target.dtype}.`);
  if (label_smoothing > 0) throw new NotImplementedError("linear_cross_entropy does not support label smoothing");
  const tuple = (sizes: readonly number[]): string => `(${sizes.join(", ")}${sizes.length === 1 ? "," : ""})`;
  const expected = linear_weight.shape.slice(0, -1);
  if (linear_bias !== null && String(linear_bias.shape) !== String(expected))
    throw new RuntimeError(
      `linear_cross_entropy: expected linear_bias shape ${tuple(expected)}, got ${tuple(linear_bias.shape)}.`,
    );
  const halves = [torch.float16, torch.bfloat16];
  if (input.dtype !== acc_dtype && !(halves.includes(input.dtype) && acc_dtype === torch.float32))
    throw new RuntimeError(
      "linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, " +
        `but got ${acc_dtype} acc_dtype and ${input.dtype} inputs.`,
    );
}

/** The targets, with a valid class at ignored rows, and a factor for each row's loss, which is 0 at ignored rows. */
function weighted_targets(call: Call): { readonly target: Tensor; readonly weight: Tensor } {
  const { linear_weight, weight, reduction, ignore_index, acc_dtype } = call;
  const mask = call.target.eq(ignore_index);
  const is_class = 0 <= ignore_index && ignore_index < linear_weight.size(0);
  const target = is_class ? call.target : torch.where(mask, 0, call.target);
  const of_rows = weight === null ? mask.logical_not() : torch.where(mask, 0, weight.index_select(0, target));
  const w = of_rows.to(acc_dtype);
  return { target, weight: reduction === "mean" ? w.div(torch.where(w.sum().eq(0), Number.NaN, w.sum())) : w };
}

/**
 * The loss and the required gradients. `grad_output` is a factor for each row's loss (null: 1).
 * For rows with softmax p, class t and weight w: gX = w (p - 1_t) W, gW = sum of w (p - 1_t) X^T, gb = sum of w (p - 1_t).
 */
function accumulate(call: Call, wanted: Wanted, grad_output: Tensor | null): { loss: Tensor; grads: Gradients } {
  const { input, linear_bias, reduction, acc_dtype, batch_chunk_size } = call;
  const { target, weight } = weighted_targets(call);
  const factors = grad_output === null ? weight : weight.mul(grad_output);
  const W = call.linear_weight.to(acc_dtype);
  const options = { dtype: acc_dtype, device: input.device };
  const room = (t: Tensor | null, when: boolean): Tensor => torch.zeros(when && t !== null ? t.shape : [0], options);
  const grads: Gradients = [room(input, wanted[0]), room(W, wanted[1]), room(linear_bias, wanted[2])];
  const [gX, gW, gb] = grads;
  const [N, per_row] = [input.size(0), reduction === "none"];
  const loss = torch.zeros(per_row ? [N] : [], options);
  if (reduction === "mean" && N === 0) loss.fill_(Number.NaN);
  for (let begin = 0; begin < N; begin += batch_chunk_size) {
    const count = Math.min(batch_chunk_size, N - begin);
    const part = (t: Tensor): Tensor => t.narrow(0, begin, count);
    const [x, t, w] = [part(input).to(acc_dtype), part(target), part(factors).unsqueeze(1)];
    let logits = x.mm(W.t());
    if (linear_bias !== null) logits = logits.add(linear_bias.to(acc_dtype));
    logits = logits.sub(logits.amax(1, true));
    const of_target = logits.gather(1, t.unsqueeze(1)).squeeze(1);
    const p = logits.exp_();
    const denominator = p.sum(1);
    const losses = denominator.log().sub(of_target).mul(part(weight));
    if (per_row) part(loss).copy_(losses);
    else loss.add_(losses.sum());
    if (!wanted.includes(true)) continue;
    p.mul_(w.div(denominator.unsqueeze(1)));
    if (wanted[0]) part(gX).copy_(p.mm(W).sub(W.index_select(0, t).mul(w)));
    if (wanted[1]) gW.addmm_(p.t(), x).index_add_(0, t, x.mul(w), { alpha: -1 });
    if (wanted[2]) gb.add_(p.sum(0)).index_add_(0, t, w.squeeze(1), { alpha: -1 });
  }
  return { loss: loss.to(input.dtype), grads: grads.map((g) => g.to(input.dtype)) as Gradients };
}

const TWICE =
  "linear_cross_entropy chunked backward called twice; retain_graph=True / double backward are not supported.";

/** Values that the nodes of both operators save for backward. */
interface Context {
  save_for_backward(...tensors: (Tensor | null)[]): void;
  readonly saved_tensors: readonly (Tensor | null)[];
  readonly needs_input_grad: readonly boolean[];
  rest: RowRest;
  wanted: Wanted;
  allow_retain_graph: boolean;
  grads: (Tensor | null)[];
}

const INPUTS = "Tensor input, Tensor linear_weight, Tensor target, Tensor? linear_bias, Tensor? weight";

/** Positions of `input`, `linear_weight` and `linear_bias` among the arguments. */
const PLACES = [0, 1, 3];

function results(length: number, grads: readonly (Tensor | null)[]): (Tensor | null)[] {
  const all = new Array<Tensor | null>(length).fill(null);
  grads.forEach((grad, i) => {
    all[PLACES[i]] = grad;
  });
  return all;
}

type Tensors = [
  input: Tensor,
  linear_weight: Tensor,
  target: Tensor,
  linear_bias: Tensor | null,
  weight: Tensor | null,
];

function call_of(tensors: Tensors, rest: Omit<Call, "input" | "linear_weight" | "target" | "linear_bias" | "weight">) {
  const [input, linear_weight, target, linear_bias, weight] = tensors;
  return { input, linear_weight, target, linear_bias, weight, ...rest };
}

type ScalarRest = [
  reduction: "mean" | "sum",
  ignore_index: number,
  label_smoothing: number,
  batch_chunk_size: number,
  acc_policy: string,
  acc_dtype: dtype,
  allow_retain_graph: boolean,
  ...compute: Wanted,
];
type ScalarArgs = [...Tensors, ...ScalarRest];

/** Defines the operator for a sum or a mean: forward also computes the gradients, and backward only scales them. */
function define_scalar(): CustomOpDef {
  const schema = `(${INPUTS}, str reduction, SymInt ignore_index, float label_smoothing, SymInt batch_chunk_size, str acc_policy, ScalarType acc_dtype, bool allow_retain_graph, bool compute_input_grad, bool compute_linear_weight_grad, bool compute_linear_bias_grad) -> (Tensor, Tensor, Tensor, Tensor)`;
  const op = custom_op("torch_nn::_linear_cross_entropy_batch_chunked", { mutates_args: [], schema })(
    (...args: ScalarArgs): Tensor[] => {
      const [reduction, ignore_index, label_smoothing, batch_chunk_size, , acc_dtype, , ...wanted] = args.slice(
        5,
      ) as ScalarRest;
      const tensors = args.slice(0, 5) as Tensors;
      const call = call_of(tensors, { reduction, ignore_index, batch_chunk_size, acc_dtype });
      check_call(call, label_smoothing);
      const { loss, grads } = accumulate(call, wanted, null);
      return [loss, ...grads];
    },
  );
  op.register_fake((...args: ScalarArgs): Tensor[] => {
    const [input, linear_weight] = args;
    const [of_input, of_weight, of_bias] = args.slice(12) as unknown as Wanted;
    const empty = (shape: readonly number[], when: boolean): Tensor => input.new_empty(when ? shape : [0]);
    return [
      input.new_empty([]),
      empty(input.shape, of_input),
      empty(linear_weight.shape, of_weight),
      empty(linear_weight.shape.slice(0, -1), of_bias),
    ];
  });
  const setup_context = (ctx: Context, inputs: unknown[], output: Tensor[]): void => {
    ctx.allow_retain_graph = inputs[11] as boolean;
    ctx.wanted = inputs.slice(12) as unknown as Wanted;
    ctx.grads = output.slice(1).map((grad) => grad.detach());
  };
  op.register_autograd(
    (ctx: Context, grad_output: Tensor): (Tensor | null)[] => {
      const grads = ctx.wanted.map((wanted, i) => {
        if (!wanted) return null;
        const grad = ctx.grads[i];
        if (grad === null) throw new RuntimeError(TWICE);
        if (ctx.allow_retain_graph) return grad.mul(grad_output);
        ctx.grads[i] = null;
        return grad.mul_(grad_output);
      });
      return results(15, grads);
    },
    { setup_context },
  );
  return op;
}

type RowRest = [ignore_index: number, batch_chunk_size: number, acc_policy: string, acc_dtype: dtype];
type RowArgs = [...Tensors, ...RowRest];

/** Defines the operator for a loss per row: backward computes the gradients, because it knows the factor of each row. */
function define_no_reduction(): CustomOpDef {
  const schema = `(${INPUTS}, SymInt ignore_index, SymInt batch_chunk_size, str acc_policy, ScalarType acc_dtype) -> Tensor`;
  const call = (args: RowArgs): Call => {
    const [ignore_index, batch_chunk_size, , acc_dtype] = args.slice(5) as RowRest;
    return call_of(args.slice(0, 5) as Tensors, { reduction: "none", ignore_index, batch_chunk_size, acc_dtype });
  };
  const op = custom_op("torch_nn::_linear_cross_entropy_batch_chunked_no_reduction", { mutates_args: [], schema })(
    (...args: RowArgs): Tensor => {
      const of_rows = call(args);
      check_call(of_rows, 0);
      return accumulate(of_rows, NO_GRADIENTS, null).loss;
    },
  );
  op.register_fake((input: Tensor): Tensor => input.new_empty([input.size(0)]));
  const setup_context = (ctx: Context, inputs: unknown[], _output: Tensor): void => {
    const detached = (inputs.slice(0, 5) as Tensors).map((t) => t?.detach() ?? null);
    ctx.save_for_backward(...detached);
    ctx.rest = inputs.slice(5) as RowRest;
  };
  op.register_autograd(
    (ctx: Context, grad_output: Tensor): (Tensor | null)[] => {
      const wanted = PLACES.map((place, i) => (i < 2 || ctx.saved_tensors[3] !== null) && ctx.needs_input_grad[place]);
      if (!wanted.includes(true)) return results(9, []);
      const of_rows = call([...(ctx.saved_tensors as Tensors), ...ctx.rest]);
      const { grads } = accumulate(of_rows, wanted as unknown as Wanted, grad_output);
      return results(
        9,
        grads.map((grad, i) => (wanted[i] ? grad : null)),
      );
    },
    { setup_context },
  );
  return op;
}

let scalar_op: CustomOpDef | null = null;
let no_reduction_op: CustomOpDef | null = null;

export function _linear_cross_entropy_batch_chunked(...args: ScalarArgs): Tensor {
  scalar_op ??= define_scalar();
  return scalar_op(...args)[0];
}

export function _linear_cross_entropy_batch_chunked_no_reduction(...args: RowArgs): Tensor {
  no_reduction_op ??= define_no_reduction();
  return no_reduction_op(...args);
}
