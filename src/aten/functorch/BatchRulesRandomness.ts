/**
 * @file Random operators inside vmap: they meet the key FuncTorchVmapMode, whether or not a tensor is batched.
 * @mirrors aten/src/ATen/functorch/BatchRulesRandomness.cpp
 *
 * | randomness | samples | inside |
 * |---|---|---|
 * | error | - | refused |
 * | same | all get the same numbers | one call without the batch dimension |
 * | different | each gets its own | one call with the batch dimension |
 */
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import { IntType, ListType } from "#aten/core/jit_type";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { popn, type Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DispatchKey } from "#c10/core/DispatchKey";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { makeBatched } from "./BatchedTensorImpl.ts";
import {
  batch_rules,
  call_on,
  currentVmap,
  ensure_has_bdim,
  moveBatchDimToFront,
  names,
  rankWithoutBatchDim,
  reshape_dim_into,
  reshape_dim_outof,
  rules_for,
  unwrapTensorAtCurrentLevel,
  vmapIncompatibleInplaceError,
} from "./BatchRulesHelper.ts";
import { RandomnessType } from "./Interpreter.ts";

const INT_LIST = ListType.create(IntType);

function check_randomness(randomness: RandomnessType, any_tensor_bdim = false): void {
  TORCH_CHECK(
    randomness !== RandomnessType.Error,
    "vmap: called random operation while in randomness error mode. Please either use the ",
    "'same' or 'different' randomness flags on vmap or perform the randomness operation out of vmap",
  );
  TORCH_CHECK(
    !(randomness === RandomnessType.Same && any_tensor_bdim),
    "Vmap does not currently support same randomness with a batched tensor input. ",
    "Please file an issue with functorch",
  );
}

type RandomRule = (op: OperatorHandle, values: IValue[]) => IValue[];

/** A kernel at the key of vmap's random operators, which counts as passed inside. */
function random(rule: RandomRule, name = rule.name): CppFunction {
  const kernel: BoxedKernelFunction = (op, _ks, stack: Stack) => {
    const guard = new ExcludeDispatchKeyGuard(DispatchKey.FuncTorchVmapMode);
    try {
      const values = popn(stack, op.schema().arguments().length);
      stack.push(...rule(op, values));
    } finally {
      guard.restore();
    }
  };
  return CppFunction.makeFromBoxedFunction(kernel, name);
}

const is_different = (): boolean => currentVmap().randomness() === RandomnessType.Different;
const batched = (t: Tensor): IValue => IValue.fromTensor(makeBatched(t, 0, currentVmap().level()));
const batched_all = (results: readonly IValue[]): IValue[] => results.map((result) => batched(result.toTensor()));

/** `rand(size)`, `randint(low, high, size)`: the size gets the batch dimension. */
const of_size: RandomRule = (op, values) => {
  check_randomness(currentVmap().randomness());
  if (!is_different()) return call_on(op, values);
  const at_size = op
    .schema()
    .arguments()
    .findIndex((arg) => arg.name() === "size");
  const given = [...values];
  given[at_size] = IValue.from([currentVmap().batchSize(), ...values[at_size].toIntList()], INT_LIST);
  return batched_all(call_on(op, given));
};

const randperm: RandomRule = (op, values) => {
  check_randomness(currentVmap().randomness());
  if (!is_different()) return call_on(op, values);
  const rows = Array.from({ length: currentVmap().batchSize() }, () => call_on(op, values)[0].toTensor() as Tensor);
  return [batched(at.stack(rows))];
};

const REFUSED =
  "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like same randomness. " +
  "If this is necessary for your usage, please file an issue with functorch.";

/** One draw for all samples, as a tensor of one sample's shape. */
function draw_once(op: OperatorHandle, value: Tensor, values: readonly IValue[]): Tensor {
  const one = at.empty_like(at.select_int(value, 0, 0), TensorOptions.EMPTY, MemoryFormat.Contiguous);
  return call_on(op, [IValue.fromTensor(one), ...values.slice(1)])[0].toTensor() as Tensor;
}

/** `self.normal_()`; for `same`, one draw is copied to all samples. */
const random_inplace: RandomRule = (op, values) => {
  const [value, bdim] = unwrapTensorAtCurrentLevel(values[0].toTensor());
  check_randomness(currentVmap().randomness());
  TORCH_CHECK(!is_different() || bdim !== null, REFUSED);
  const physical = moveBatchDimToFront(value, bdim);
  if (!is_different() && bdim !== null) physical.copy_(draw_once(op, physical, values));
  else call_on(op, [IValue.fromTensor(physical), ...values.slice(1)]);
  return [values[0]];
};

const bernoulli_inplace_Tensor: RandomRule = (op, values) => {
  const [value, bdim] = unwrapTensorAtCurrentLevel(values[0].toTensor());
  const [p, p_bdim] = unwrapTensorAtCurrentLevel(values[1].toTensor());
  check_randomness(currentVmap().randomness(), p_bdim !== null);
  if (bdim === null && p_bdim !== null) vmapIncompatibleInplaceError("inplace bernoulli");
  TORCH_CHECK(!is_different() || bdim !== null, REFUSED);
  const physical = moveBatchDimToFront(value, bdim);
  if (!is_different() && bdim !== null) physical.copy_(draw_once(op, physical, values));
  else {
    const missing = rankWithoutBatchDim(value, bdim) - rankWithoutBatchDim(p, p_bdim);
    let probability = moveBatchDimToFront(p, p_bdim);
    if (p_bdim !== null) for (let i = 0; i < missing; i++) probability = probability.unsqueeze(1);
    call_on(op, [IValue.fromTensor(physical), IValue.fromTensor(probability), ...values.slice(2)]);
  }
  return [values[0]];
};

/** `bernoulli(self)`, `normal(mean, 1.0)`: a draw for each element of a tensor. */
const of_elements: RandomRule = (op, values) => {
  const at_tensor = values.findIndex((value) => value.isTensor());
  const [value, bdim] = unwrapTensorAtCurrentLevel(values[at_tensor].toTensor());
  check_randomness(currentVmap().randomness(), bdim !== null);
  let tensor = moveBatchDimToFront(value, bdim);
  if (is_different()) tensor = ensure_has_bdim(tensor, bdim !== null, currentVmap().batchSize());
  const given = [...values];
  given[at_tensor] = IValue.fromTensor(tensor);
  const results = call_on(op, given);
  return is_different() || bdim !== null ? batched_all(results) : results;
};

/** `rand_like(self)`: only the shape of the tensor counts. */
const like: RandomRule = (op, values) => {
  const [value, bdim] = unwrapTensorAtCurrentLevel(values[0].toTensor());
  check_randomness(currentVmap().randomness());
  let tensor = moveBatchDimToFront(value, bdim);
  if (is_different()) tensor = ensure_has_bdim(tensor, bdim !== null, currentVmap().batchSize());
  else if (bdim !== null) tensor = at.select_int(tensor, 0, 0);
  const results = call_on(op, [IValue.fromTensor(tensor), ...values.slice(1)]);
  return is_different() ? batched_all(results) : results;
};

const native_dropout: RandomRule = (op, values) => {
  const tensor = values[0].toTensor() as Tensor;
  const [value, bdim] = unwrapTensorAtCurrentLevel(tensor);
  const trains = values[2].isNone() || (values[2].payload as boolean);
  if (trains) check_randomness(currentVmap().randomness());
  if (!trains || is_different()) {
    const all = ensure_has_bdim(moveBatchDimToFront(value, bdim), bdim !== null, currentVmap().batchSize());
    return batched_all(call_on(op, [IValue.fromTensor(all), ...values.slice(1)]));
  }
  const p1m = 1 - (values[1].payload as number);
  const sample = bdim === null ? value : at.select_int(moveBatchDimToFront(value, bdim), 0, 0);
  const mask = at.empty_like(sample, TensorOptions.EMPTY, MemoryFormat.Contiguous).bernoulli__float(p1m);
  const output = at.mul_Tensor(tensor, mask).mul__Scalar(Scalar.fromDouble(p1m === 0 ? 0 : 1 / p1m));
  return [IValue.fromTensor(output), IValue.fromTensor(mask)];
};

const multinomial: RandomRule = (op, values) => {
  const [value, bdim] = unwrapTensorAtCurrentLevel(values[0].toTensor());
  check_randomness(currentVmap().randomness(), bdim !== null);
  if (!is_different()) return call_on(op, values);
  const batch_size = currentVmap().batchSize();
  const is_2D_case = rankWithoutBatchDim(value, bdim) === 2;
  let all = ensure_has_bdim(moveBatchDimToFront(value, bdim), bdim !== null, batch_size);
  if (is_2D_case) all = reshape_dim_into(0, 0, all);
  const [result] = call_on(op, [IValue.fromTensor(all), ...values.slice(1)]);
  const out = result.toTensor() as Tensor;
  return [batched(is_2D_case ? reshape_dim_outof(0, batch_size, out) : out)];
};

const unsupportedRandomOp_ = CppFunction.makeFromBoxedFunction((op) => {
  TORCH_CHECK(
    false,
    "vmap: We do not yet support ",
    op.schema().operator_name(),
    ". If this is necessary for your usage, please file an issue with functorch.",
  );
}, "unsupportedRandomOp");

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchVmapMode",
  batch_rules({
    ...rules_for(
      names(`
        rand rand.generator randn randn.generator randint randint.generator randint.low randint.low_generator normal.float_float
      `),
      random(of_size, "random_batching_rule"),
    ),
    ...rules_for(names("randperm randperm.generator"), random(randperm, "randperm_batching_rule")),
    ...rules_for(
      names(`
        bernoulli_.float cauchy_ exponential_ geometric_ log_normal_ normal_ random_ random_.from random_.to uniform_
      `),
      random(random_inplace, "random_inplace_batching_rule"),
    ),
    "bernoulli_.Tensor": random(bernoulli_inplace_Tensor),
    ...rules_for(
      names("bernoulli bernoulli.p normal.Tensor_float normal.float_Tensor poisson _standard_gamma _sample_dirichlet"),
      random(of_elements, "unary_pointwise_random_batch_rule"),
    ),
    ...rules_for(
      names("rand_like randn_like randint_like randint_like.low_dtype"),
      random(like, "tensor_like_random_batch_rule"),
    ),
    native_dropout: random(native_dropout),
    multinomial: random(multinomial),
    ...rules_for(
      names(`
        bernoulli.out multinomial.out normal.Tensor_Tensor_out normal.float_Tensor_out normal.float_float_out rand.generator_out
        rand.out randint.generator_out randint.out randn.generator_out randn.out randperm.generator_out randperm.out rrelu rrelu_
        rrelu_with_noise rrelu_with_noise.out rrelu_with_noise_
      `),
      unsupportedRandomOp_,
    ),
  }),
);
