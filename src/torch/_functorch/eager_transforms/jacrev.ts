/**
 * @file `jacrev`: the Jacobian by rows, each of which is a product with a vector of the standard basis. `vmap` computes them at once.
 * @mirrors torch/_functorch/eager_transforms.py#jacrev
 *
 *     outputs y (3), z ()     basis for y    basis for z      one row of the basis, (y's part, z's part), gives one row of the Jacobian
 *                              1 0 0          0
 *                              0 1 0          0
 *                              0 0 1          0
 *                              0 0 0          1
 */
import { RuntimeError } from "#c10/util/Exception";
import { pack, tuple } from "#python/Objects/tupleobject";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { flatten } from "#torch/utils/_pytree/index";
import { type argnums_t, type Func, vmap } from "../apis.ts";
import { get_chunk_sizes } from "../vmap.ts";
import { _slice_argnums } from "./argnums.ts";
import { _vjp_with_argnums } from "./grad.ts";

export function error_if_complex(func_name: string, args: unknown, is_input: boolean): void {
  for (const [idx, arg] of flatten(args)[0].entries())
    if (arg instanceof Tensor && arg.dtype.is_complex)
      throw new RuntimeError(
        `${func_name}: Expected all ${is_input ? "inputs" : "outputs"} ` +
          `to be real but received complex tensor at flattened input idx: ${idx}`,
      );
}

/** The rows of the standard basis of all tensors together, at most `chunk_size` at once; a part for each tensor. */
export function* _chunked_standard_basis_for_(
  tensors: readonly Tensor[],
  chunk_size: number | null = null,
): Generator<Tensor[]> {
  const numels = tensors.map((t) => t.numel());
  const total = numels.reduce((sum, n) => sum + n, 0);
  const rows = chunk_size !== null && chunk_size < total ? get_chunk_sizes(total, chunk_size) : [total];
  let first = 0;
  for (const size of rows) {
    let start = 0;
    const chunk: Tensor[] = [];
    for (const [i, tensor] of tensors.entries()) {
      const part = tensor.new_zeros([size, numels[i]]);
      part.diagonal(first - start).fill_(1);
      chunk.push(part.view([size, ...tensor.shape]));
      start += numels[i];
    }
    yield chunk;
    first += size;
  }
}

export function jacrev_impl(
  func: unknown,
  argnums: argnums_t,
  has_aux: boolean,
  chunk_size: number | null,
  args: readonly unknown[],
): unknown {
  error_if_complex("jacrev", tuple(args), true);
  const [output, vjp_fn, aux] = _vjp_with_argnums(func, args, argnums, has_aux) as [unknown, Func, unknown];
  const [flat, output_spec] = flatten(output);
  const flat_output = flat as Tensor[];
  error_if_complex("jacrev", flat_output, false);
  const numels = flat_output.map((out) => out.numel());
  const [flat_primals, primals_spec] = flatten(_slice_argnums(args, argnums));

  /** The rows of each primal: the rows of this part of the basis. */
  const rows_of = (basis: readonly Tensor[]): Tensor[] => {
    if (chunk_size !== 1) return flatten(vmap(vjp_fn)(output_spec.unflatten(basis)))[0] as Tensor[];
    // One row at a time is a loop, without the limits of vmap.
    const row = vjp_fn(output_spec.unflatten(basis.map((t) => t.squeeze(0)))) as unknown;
    return (flatten(row)[0] as Tensor[]).map((t) => t.unsqueeze(0));
  };
  const chunks = [..._chunked_standard_basis_for_(flat_output, chunk_size)].map(rows_of);
  const jacobians = (flat_primals as Tensor[]).map((primal, i) => {
    const all =
      chunks.length === 1
        ? chunks[0][i]
        : torch.cat(
            chunks.map((chunk) => chunk[i]),
            0,
          );
    return torch.split(all, numels, 0).map((split, j) => split.view([...flat_output[j].shape, ...primal.shape]));
  });

  // From a list for each primal to a tree of outputs, whose leaves are trees of primals.
  const by_output = flat_output.map((_, j) => {
    const of_output = primals_spec.unflatten(jacobians.map((of_primal) => of_primal[j])) as unknown[];
    return typeof argnums === "number" ? of_output[0] : of_output;
  });
  const result = output_spec.unflatten(by_output);
  return has_aux ? pack(result, aux) : result;
}
