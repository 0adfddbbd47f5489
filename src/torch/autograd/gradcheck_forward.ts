/**
 * @file Jacobians by forward mode, for `gradcheck`: one call of the function for each input element gives a column.
 * @mirrors torch/autograd/gradcheck.py#_get_analytical_jacobian_forward_ad
 */
import { _C } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { dual_level, make_dual, unpack_dual } from "./forward_ad.ts";

/** The floating outputs of the checked function. */
type Outputs = (inputs: readonly unknown[]) => Tensor[];

interface Duals {
  /** The inputs, with a tangent of zeros for each tensor that requires grad. */
  readonly inputs: unknown[];
  /** The tangents: what is written into them is the direction of the next call. */
  readonly grads: Tensor[];
}

/** Precondition: a level exists. */
function make_duals(inputs: readonly unknown[]): Duals {
  const grads: Tensor[] = [];
  const duals = inputs.map((inp) => {
    if (!(inp instanceof Tensor && inp.requires_grad)) return inp;
    const dual = make_dual(inp.detach(), _C._VariableFunctions.zeros_like(inp));
    grads.push(unpack_dual(dual).tangent as Tensor);
    return dual;
  });
  return { inputs: duals, grads };
}

/** Jacobians by input and output, with a row for each input element; with `all_u`, the one row u^T J for each input. */
export function _get_analytical_jacobian_forward_ad(
  fn: Outputs,
  inputs: readonly unknown[],
  outputs: readonly Tensor[],
  all_u: readonly Tensor[] | null = null,
): Tensor[][] {
  return dual_level(() => {
    const duals = make_duals(inputs);
    return duals.grads.map((fw_grad, i) => {
      const rows = all_u === null ? fw_grad.numel() : 1;
      const jacobians = outputs.map((o) => o.detach().new_zeros([rows, o.numel()]));
      const store = (row: number): void => {
        for (const [index_o, d_o] of fn(duals.inputs).entries()) {
          const res = unpack_dual(d_o).tangent;
          if (res !== null) jacobians[index_o].select(0, row).copy_(res.detach().reshape([-1]));
        }
      };
      if (all_u === null) {
        const elements = fw_grad.view([-1]);
        for (let row = 0; row < rows; row++) {
          elements.__setitem__(row, 1);
          store(row);
          elements.__setitem__(row, 0);
        }
      } else {
        fw_grad.copy_(all_u[i].view_as(fw_grad));
        store(0);
        fw_grad.zero_();
      }
      return jacobians;
    });
  });
}

/** An output whose tangent depends on whether a tangent is zeros or missing: its number, the input, and both tangents. */
export interface UndefinedMismatch {
  readonly index_o: number;
  readonly input: Tensor;
  readonly tangents: readonly [Tensor, Tensor];
}

/** @param all_u the tangents of the inputs */
export function find_undefined_mismatch(
  fn: Outputs,
  inputs: readonly unknown[],
  all_u: readonly Tensor[],
): UndefinedMismatch | null {
  return dual_level(() => {
    const duals = make_duals(inputs);
    for (const [i, fw_grad] of duals.grads.entries()) fw_grad.copy_(all_u[i].view_as(fw_grad));
    for (const [idx, input] of inputs.entries()) {
      if (!(input instanceof Tensor && input.requires_grad)) continue;
      const with_input = (one: Tensor): (Tensor | null)[] =>
        fn(duals.inputs.map((dual, k) => (k === idx ? one : dual))).map((d_o) => unpack_dual(d_o).tangent);
      const of_zeros = with_input(make_dual(input.detach(), _C._VariableFunctions.zeros_like(input)));
      const of_none = with_input(input.detach());
      for (const [index_o, res1] of of_zeros.entries()) {
        const res2 = of_none[index_o];
        if (res1 === null || res2 === null) continue;
        if (!_C._VariableFunctions.allclose(res1, res2)) return { index_o, input, tangents: [res1, res2] };
      }
    }
    return null;
  });
}
