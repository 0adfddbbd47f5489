/**
 * @file A parametrization whose values are orthogonal matrices for every value of the parameter.
 * @mirrors torch/nn/utils/parametrizations.py
 */
import { NotImplementedError, ValueError } from "#c10/util/Exception";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Module } from "#torch/nn/modules/module/index";
import { register_parametrization } from "./parametrize.ts";

const MAPS = ["matrix_exp", "cayley", "householder"] as const;
/** A map from unconstrained matrices to orthogonal ones. */
type OrthMap = (typeof MAPS)[number];

/** Whether Q^T Q = 1, up to rounding. */
function _is_orthogonal(Q: Tensor): boolean {
  const [n, k] = Q.shape.slice(-2);
  const Id = torch.eye(k, { dtype: Q.dtype, device: Q.device });
  const eps = Q.dtype === torch.float64 ? 2 ** -52 : 2 ** -23;
  return torch.allclose(Q.mH.matmul(Q), Id, { atol: 10 * n * eps });
}

/** The factor Q of A = Q R with a positive diagonal of R. Precondition: A has at least as many rows as columns. */
function _make_orthogonal(A: Tensor): Tensor {
  const { a, tau } = torch.geqrf(A);
  const Q = torch.linalg.householder_product(a, tau);
  return Q.mul_(a.diagonal(0, -2, -1).sgn().unsqueeze(-2));
}

const _Orthogonal_init = new Init(
  "_Orthogonal.__init__(self, weight, orthogonal_map, *, use_trivialization=True)",
  types<[weight: Tensor, orthogonal_map: OrthMap, use_trivialization: boolean]>,
);

// Note [Trivializations]
// ~~~~~~~~~~~~~~~~~~~~~~
// Each map takes unconstrained matrices to orthogonal ones, and 0 to 1: exp(A) and (1 + A/2) (1 - A/2)^-1 of a skew-symmetric A, or a
// product of Householder reflections. Far from 0 the maps are poorly conditioned. Therefore a value Q that is assigned becomes a `base`,
// and the map restarts at 0: Q = base map(X) with X = 0 (arXiv:1909.09501). Reflections store the signs of their columns on the diagonal of
// X, which gets no gradient; there 0 is represented by -1.

export class _Orthogonal extends Module<[X: Tensor], Tensor> {
  static readonly __module__: string = "torch.nn.utils.parametrizations";

  shape: readonly number[];
  orthogonal_map: OrthMap;
  declare base?: Tensor | null;

  static {
    def_methods(_Orthogonal, {
      __init__: _Orthogonal_init,
      forward: "(self, X)",
      right_inverse: "(self, Q)",
    });
  }

  constructor(...args: InitArgs<typeof _Orthogonal_init>) {
    const [weight, orthogonal_map, use_trivialization] = _Orthogonal_init.bind(args);
    super();
    this.shape = weight.shape;
    this.orthogonal_map = orthogonal_map;
    if (use_trivialization) this.register_buffer("base", null);
  }

  override forward(X_: Tensor): Tensor {
    const transposed = X_.size(-2) < X_.size(-1);
    const X = transposed ? X_.mT : X_; // at least as many rows as columns
    const mapped = this.orthogonal_map === "householder" ? reflections(X) : of_skew(X, this.orthogonal_map);
    const Q = this.base === undefined ? mapped : torch.matmul(this.base as Tensor, mapped);
    return transposed ? Q.mT : Q;
  }

  right_inverse(value: Tensor): Tensor {
    return torch.no_grad(() => {
      if (String(value.shape) !== String(this.shape)) {
        const size = (sizes: readonly number[]): string => `torch.Size([${sizes.join(", ")}])`;
        throw new ValueError(
          `Expected a matrix or batch of matrices of shape ${size(this.shape)}. Got a tensor of shape ${size(value.shape)}.`,
        );
      }
      const transposed = value.size(-2) < value.size(-1);
      const Q = transposed ? value.mT : value;
      return this.base === undefined ? this.parameter_of(Q, transposed) : this.begin_at(value, Q);
    });
  }

  /** The parameter for a value Q without a base. Only the reflections can be recovered from their product. */
  private parameter_of(Q: Tensor, transposed: boolean): Tensor {
    if (this.orthogonal_map !== "householder")
      throw new NotImplementedError(
        "It is not possible to assign to the matrix exponential or the Cayley parametrizations when use_trivialization=False.",
      );
    const { a, tau } = torch.geqrf(Q);
    const diagonal = a.diagonal(0, -2, -1).sign_();
    diagonal.masked_scatter_(tau.eq(0), diagonal.masked_select(tau.eq(0)).neg()); // LAPACK used no reflection there
    return transposed ? a.mT : a;
  }

  /** Makes Q, orthogonalized and completed to a square matrix, the new `base`. */
  private begin_at(value: Tensor, Q: Tensor): Tensor {
    const [n, k] = Q.shape.slice(-2);
    if (n === k) this.base = _is_orthogonal(Q) ? Q.clone() : _make_orthogonal(Q);
    else {
      const N = torch.randn([...Q.shape.slice(0, -2), n, n - k], { dtype: Q.dtype, device: Q.device });
      this.base = _make_orthogonal(torch.cat([Q, N], -1));
    }
    const neg_Id = torch.zeros_like(value);
    neg_Id.diagonal(0, -2, -1).fill_(-1);
    return neg_Id;
  }
}

/** Completes the lower triangle X (n rows, k columns) to a square matrix, makes it skew-symmetric, and applies the map. */
function of_skew(X_: Tensor, map: OrthMap): Tensor {
  const [n, k] = X_.shape.slice(-2);
  let X = X_.tril();
  if (n !== k) X = torch.cat([X, X.new_zeros([n, n - k]).expand([...X.shape.slice(0, -2), -1, -1])], -1);
  const A = X.sub(X.mH);
  let Q: Tensor;
  if (map === "matrix_exp") Q = torch.matrix_exp(A);
  else {
    const Id = torch.eye(n, { dtype: A.dtype, device: A.device });
    Q = torch.linalg.solve(torch.add(Id, A, { alpha: -0.5 }), torch.add(Id, A, { alpha: 0.5 }));
  }
  return n === k ? Q : Q.__getitem__(["...", { start: null, stop: k, step: null }]);
}

/** The product of the Householder reflections stored below the diagonal of X, times the signs on the diagonal. */
function reflections(X: Tensor): Tensor {
  const A = X.tril(-1);
  const tau = A.mul(A).sum(-2).add(1).reciprocal().mul(2);
  const Q = torch.linalg.householder_product(A, tau);
  return Q.mul(X.diagonal(0, -2, -1).int().unsqueeze(-2));
}

/**
 * A parametrization that makes the rows (or the columns, if there are fewer) orthonormal.
 * @param orthogonal_map "matrix_exp" (default for square matrices), "cayley" or "householder" (default for others)
 * @param use_trivialization whether the last assigned value is kept as the base of the map
 */
export const orthogonal = def(
  "orthogonal(module, name='weight', orthogonal_map=None, *, use_trivialization=True)",
  <M extends Module>(module: M, name: string, orthogonal_map: string | null, use_trivialization: boolean): M => {
    const weight = (module as unknown as Record<string, unknown>)[name];
    if (!(weight instanceof Tensor))
      throw new ValueError(`Module '${module}' has no parameter or buffer with name '${name}'`);
    if (weight.dim() < 2)
      throw new ValueError(`Expected a matrix or batch of matrices. Got a tensor of ${weight.dim()} dimensions.`);
    const map = orthogonal_map ?? (weight.size(-2) === weight.size(-1) ? "matrix_exp" : "householder");
    const known = MAPS.find((each) => each === map);
    if (known === undefined)
      throw new ValueError(`orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: ${map}`);
    const orth = new _Orthogonal(weight, known, { use_trivialization });
    register_parametrization(module, name, orth, { unsafe: true });
    return module;
  },
);
