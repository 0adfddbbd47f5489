/**
 * @file `jvp` and `jacfwd`: a level of `jvp` around one run of the function on dual tensors.
 * @mirrors torch/_functorch/eager_transforms.py#_jvp_with_argnums
 */
import { RuntimeError } from "#c10/util/Exception";
import { pack, tuple } from "#python/Objects/tupleobject";
import * as C from "#torch/_functorch/_C_functorch";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import * as fwAD from "#torch/autograd/forward_ad";
import { call_function } from "#torch/fx/callables";
import { flatten, map_leaves } from "#torch/utils/_pytree/index";
import { type argnums_t, vmap } from "../apis.ts";
import { _replace_args, _slice_argnums } from "./argnums.ts";
import { _undo_create_differentiable, _wrap_all_tensors, assert_non_empty_tensor_output } from "./grad.ts";
import { _chunked_standard_basis_for_, error_if_complex } from "./jacrev.ts";

const jvp_str = "jvp(f, primals, tangents)";

/** How many levels of `jvp` there are: the outermost enters the dual level, which the others share. */
let JVP_NESTING = 0;

function jvp_increment_nesting<R>(fn: (level: number) => R): R {
  const level = C._jvp_increment_nesting();
  JVP_NESTING++;
  try {
    return fn(level);
  } finally {
    C._jvp_decrement_nesting();
    JVP_NESTING--;
  }
}

function assert_non_empty_list_of_tensors(output: readonly unknown[], argname: string): asserts output is Tensor[] {
  if (output.length === 0) throw new RuntimeError(`${jvp_str}: Expected ${argname} to contain at least one Tensor.`);
  for (const out of output)
    if (!(out instanceof Tensor))
      throw new RuntimeError(`${jvp_str}: Expected ${argname} to only contain Tensors, got ${type_repr(out, "class")}`);
}

export function safe_unpack_dual(dual: unknown, strict: boolean): [primal: Tensor, tangent: Tensor] {
  if (!(dual instanceof Tensor))
    throw new RuntimeError(
      `${jvp_str}: expected f(*args) to return only tensors, got unsupported type ${type_repr(dual, "class")}`,
    );
  const { primal, tangent } = fwAD.unpack_dual(dual);
  if (tangent === null && strict)
    throw new RuntimeError(
      "jvp(f, primals, tangents, strict=True): The output of f is independent of " +
        "the inputs. This is not allowed with strict=True.",
    );
  return [primal, tangent ?? torch.zeros_like(primal)];
}

interface JvpOptions {
  readonly argnums: argnums_t | null;
  readonly strict: boolean;
  readonly has_aux: boolean;
}

export function _jvp_with_argnums(
  func: unknown,
  primals: unknown,
  tangents: unknown,
  { argnums, strict, has_aux }: JvpOptions,
): unknown {
  if (!Array.isArray(primals))
    throw new RuntimeError(`${jvp_str}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).`);
  const given = tuple(primals);
  const [flat_primals, primals_spec] = flatten(argnums === null ? given : _slice_argnums(given, argnums));
  const [flat_tangents, tangents_spec] = flatten(Array.isArray(tangents) ? tuple(tangents) : tangents);
  if (!primals_spec.equals(tangents_spec))
    throw new RuntimeError(
      `${jvp_str}: Expected primals and tangents to have the same python ` +
        "structure. For example, if primals is a tuple of 3 tensors, " +
        `tangents also must be. Got primals with structure ${primals_spec} ` +
        `and tangents with structure ${tangents_spec}`,
    );
  assert_non_empty_list_of_tensors(flat_primals, "primals");
  assert_non_empty_list_of_tensors(flat_tangents, "tangents");
  return jvp_increment_nesting((level) => {
    const run = (): unknown => {
      const flat_duals = flat_primals.map((p, i) => fwAD.make_dual(p, flat_tangents[i]));
      let duals = primals_spec.unflatten(flat_duals) as readonly unknown[];
      if (argnums !== null) duals = _replace_args(_wrap_all_tensors(given, level), duals, argnums);
      let result_duals = call_function(func, duals);
      let aux: unknown = null;
      if (has_aux) {
        if (!(Array.isArray(result_duals) && result_duals.length === 2))
          throw new RuntimeError(
            `${jvp_str}: output of function f should be a tuple: (output, aux) if has_aux is True`,
          );
        [result_duals, aux] = result_duals;
        aux = _undo_create_differentiable(aux, level);
      }
      const [flat_results, spec] = flatten(result_duals);
      assert_non_empty_tensor_output(flat_results, jvp_str);
      const unpacked = flat_results.map((dual) => safe_unpack_dual(dual, strict));
      const [primals_out, tangents_out] = [0, 1].map((i) =>
        spec.unflatten(unpacked.map((pair) => _undo_create_differentiable(pair[i], level))),
      );
      return has_aux ? pack(primals_out, tangents_out, aux) : pack(primals_out, tangents_out);
    };
    return fwAD._set_fwd_grad_enabled(true)(() => (JVP_NESTING === 1 ? fwAD.dual_level(run) : run()))();
  });
}

/** The inverse of `flatten` for one dimension, also for a scalar. */
function safe_unflatten(tensor: Tensor, shape: readonly number[]): Tensor {
  return shape.length === 0 ? tensor.squeeze(-1) : tensor.unflatten(-1, shape);
}

export function jacfwd_impl(
  func: unknown,
  argnums: argnums_t,
  has_aux: boolean,
  randomness: string,
  args: readonly unknown[],
): unknown {
  error_if_complex("jacfwd", tuple(args), true);
  const [flat, primals_spec] = flatten(_slice_argnums(args, argnums));
  const flat_primals = flat as Tensor[];
  const numels = flat_primals.map((p) => p.numel());
  const [flat_basis] = [..._chunked_standard_basis_for_(flat_primals)];
  const push_jvp = (basis: unknown): unknown => {
    const output = _jvp_with_argnums(func, args, basis, { argnums, strict: false, has_aux }) as unknown[];
    error_if_complex("jacfwd", output[0], false);
    return has_aux ? pack(output[1], output[2]) : output[1];
  };
  let results = vmap(push_jvp, 0, 0, randomness)(primals_spec.unflatten(flat_basis)) as unknown;
  let aux: unknown = null;
  if (has_aux) {
    [results, aux] = results as [unknown, unknown];
    aux = map_leaves(aux, (value) => (value as Tensor).select(0, 0)); // equal in all columns
  }
  const [jac_outs, spec] = flatten(results);
  const by_output = (jac_outs as Tensor[]).map((jac_out) => {
    const parts = torch.split(jac_out.movedim(0, -1), numels, -1);
    const of_output = primals_spec.unflatten(
      parts.map((part, i) => safe_unflatten(part, [...flat_primals[i].shape])),
    ) as unknown[];
    return typeof argnums === "number" ? of_output[0] : of_output;
  });
  return has_aux ? pack(spec.unflatten(by_output), aux) : spec.unflatten(by_output);
}
