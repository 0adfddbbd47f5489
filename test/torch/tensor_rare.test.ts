/** Names of torch and Tensor that are seldom called, beside PyTorch's: tools/oracle/user_programs/tensor_rare.py. */
import torch from "glasstorch";
import { beforeAll, expect, test } from "vitest";
import { resetWarnOnce } from "#c10/util/Exception";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const floats = (n: number): Any => torch.arange(n, { dtype: torch.float32 });
const numbers = (values: readonly number[], kwargs: Any = {}): Any =>
  torch.tensor(values, { dtype: torch.float32, ...kwargs });
const loose = torch as Any;

// Some of these warn once, and another file may have heard it.
beforeAll(resetWarnOnce);

user_programs("tensor_rare", {
  "the conjugate transpose": ({ say, fails }) => {
    const x = floats(6).reshape(2, 3);
    say(x.H);
    say(x.H._base === x);
    fails(() => torch.ones(2, 2, 2).H);
    fails(() => torch.ones(2).H);
    say(torch.tensor(torch.Float(3)).H);
    const w = torch.ones(2, 3, { requires_grad: true });
    w.H.mul(floats(6).reshape(3, 2)).sum().backward();
    say(w.grad);
  },
  "a function for every element": ({ say, fails }) => {
    const x: Any = floats(6).reshape(2, 3);
    const i: Any = torch.arange(6).reshape(2, 3);
    const b: Any = i.gt(2);
    const meta: Any = torch.ones(2, { device: "meta" });
    const first = (p: number) => p;
    say(x.clone().map_(torch.ones(3), (p: number, q: number) => p * 2 + q));
    say(x.clone().map_({ other: x.t().contiguous().t(), callable: (p: number, q: number) => p * q }));
    say(x.clone().map2_(x, torch.ones(1), (p: number, q: number, r: number) => p + 10 * q + r));
    say(
      i.clone().map_(i, (p: number) => p + 0.5),
      b.clone().map_(b, () => 3),
    );
    say(x.half().map_(x.half(), (p: number, q: number) => p + q));
    say(x.clone().map_(x, () => torch.tensor(1.5)));
    fails(() => x.map_(torch.ones(2, 2), first));
    fails(() => x.map_(i, first));
    fails(() => x.map_(1, first));
    fails(() => x.map_(x, 3));
    fails(() => x.map_(x));
    fails(() => x.map_(x, x, x));
    fails(() => x.clone().map_(x, () => "s"));
    fails(() => x.clone().requires_grad_().map_(x, first));
    fails(() => x.map_(x.clone().requires_grad_(), first));
    fails(() => x.map2_(i, x, first));
    fails(() => x.map2_(x, b, first));
    fails(() => x.map2_(x, meta, first));
    fails(() => x.map2_(x, x.clone().requires_grad_(), first));
    fails(() => meta.map_(x, first));
    say(meta.map_(meta, 3), meta.apply_(3));
    say((torch.empty(0) as Any).map_(torch.empty(0), 3), (torch.empty(0) as Any).apply_(3));
    fails(() => x.apply_(3));
  },
  "what it is not": ({ say, fails }) => {
    const x = torch.ones(2, 3);
    say(x.is_mps, x.is_xpu, x.is_ipu, x.is_xla, x.is_vulkan, x.is_maia, x.is_mtia, x.is_nested, x.is_sparse_csr);
    say(x.is_shared());
    say(x.sparse_dim(), x.dense_dim(), torch.tensor(1.5).dense_dim());
    fails(() => x.is_coalesced());
    fails(() => x.coalesce());
    say(x.to_dense() === x, x.to_dense(torch.float32) === x, x.to_dense({ masked_grad: true }) === x);
    say(x.to_dense(torch.float64), x.to_dense({ dtype: torch.int64 }));
    say(x.requires_grad_().to_dense(torch.float64));
  },
  angle: ({ say, fails }) => {
    const x = numbers([1.5, -1.5, 0, -0, Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    say(x.angle(), x.double().angle());
    say(x.half().angle(), x.bfloat16().angle());
    const i: Any = torch.tensor([-2, 0, 3]);
    say(i.angle(), i.gt(0).angle(), i.byte().angle());
    say(
      torch.angle(x, { out: torch.empty(7, { dtype: torch.float64 }) }).dtype,
      torch.angle(x.double(), { out: torch.empty(7) }).dtype,
    );
    fails(() => torch.angle(i, { out: torch.empty(3, { dtype: torch.int64 }) }));
    fails(() => loose.angle(1));
    say(x.to("meta").angle(), i.to("meta").angle());
    say(torch.angle(i.to("meta"), { out: torch.empty(3, { dtype: torch.float64, device: "meta" }) }));
    const w = numbers([2.5, -2.5], { requires_grad: true });
    const y = w.angle();
    say(y);
    y.sum().backward();
    say(w.grad);
  },
  "the conjugate in memory of its own": ({ say, fails }) => {
    const x = numbers([1.5, -2.5]);
    const i = torch.arange(2);
    say(torch.conj_physical(x) === x, x.conj_physical() === x, x.conj_physical_() === x, torch.conj_physical_(x) === x);
    const y = torch._conj_physical(x);
    say(y, y === x, torch._conj_physical(i.gt(0)));
    say(torch.conj_physical(x, { out: torch.empty(2) }));
    fails(() => torch.conj_physical(x, { out: torch.empty(2, { dtype: torch.int64 }) }));
    fails(() => torch.conj_physical(i, { out: torch.empty(2) }));
    say(torch.conj_physical(i.to("meta"), { out: torch.empty(2, { device: "meta" }) }));
    say(torch._conj_physical(x.to("meta")), x.to("meta").conj_physical_());
    const w = torch.ones(2, { requires_grad: true });
    say(torch._conj_physical(w.mul(2)), w.mul(2).conj_physical_(), torch.conj_physical(w.mul(2)));
    torch._conj_physical(w.mul(2)).sum().backward();
    say(w.grad);
    fails(() => w.conj_physical_());
  },
  "the order of the dims": ({ say, fails }) => {
    const x: Any = torch.ones(2, 3, 4, 5);
    say(x.dim_order(), x.transpose(1, 2).dim_order(), x.permute(2, 0, 1, 3).dim_order({ ambiguity_check: true }));
    say(x.contiguous({ memory_format: torch.channels_last }).dim_order());
    say(torch.tensor(1.5).dim_order(), torch.ones(2).dim_order(), torch.ones(2, 0).dim_order());
    const formats = { ambiguity_check: [torch.contiguous_format, torch.channels_last] };
    const one = torch.ones(1, 2, 3, 4);
    fails(() => one.dim_order({ ambiguity_check: true }));
    say(one.dim_order(formats));
    fails(() => torch.ones(1, 1, 1, 1).dim_order(formats));
    fails(() => torch.ones(4, 2, 3, 5).narrow(1, 0, 1).expand(4, 2, 3, 5).dim_order({ ambiguity_check: true }));
    const expanded = torch.ones(2, 1, 3, 5).expand(2, 4, 3, 5);
    fails(() => expanded.dim_order({ ambiguity_check: [torch.channels_last] }));
    say(expanded.dim_order({ ambiguity_check: [] }));
    for (const ambiguity_check of ["x", ["x"], null]) fails(() => x.dim_order({ ambiguity_check }));
    fails(() => x.dim_order(true));
  },
  "what a module would load": ({ say, fails }) => {
    const x: Any = torch.ones(2);
    const y = numbers([1.5, 2.5]);
    let z = x.module_load(y);
    say(z, x, z === x, z.data_ptr() === x.data_ptr());
    z = x.module_load(y, { assign: true });
    say(z, z === y, z.data_ptr() === y.data_ptr());
    say(x.module_load(3));
    fails(() => x.module_load(3, true));
  },
  "another shape, the old way": ({ say, fails }) => {
    const x = floats(6);
    say(x.resize(3, 2), x.reshape(2, 3).t().resize(6), x.resize_as(torch.ones(2, 3)));
    fails(() => x.resize(2, 2));
    fails(() => x.resize([3, 2]));
    fails(() => x.resize_as(torch.ones(3)));
    fails(() => x.resize_as(3));
    const w = torch.ones(2, 3, { requires_grad: true });
    const y = w.resize(6);
    say(y);
    y.mul(floats(6)).sum().backward();
    say(w.grad);
  },
  lu: ({ say, fails }) => {
    say(numbers([1, 2, 3, 4]).reshape(2, 2).lu());
    say(torch.zeros(2, 2).lu({ get_infos: true }));
    const [LU, pivots] = torch.lu(torch.eye(2), { pivot: true });
    say(LU, pivots);
    say(torch.lu(torch.zeros(2, 2), { get_infos: true }));
    const out = [torch.empty(0), torch.empty(0, { dtype: torch.int32 })];
    torch.lu(torch.eye(2).mul(2), { out });
    say(out);
    fails(() => torch.lu(torch.eye(2), { get_infos: true, out }));
    fails(() => torch.eye(2).lu({ pivot: false }));
    fails(() => torch.zeros(2).lu());
    fails(() => torch.arange(4).reshape(2, 2).lu());
    const w = numbers([1, 2, 3, 4]).reshape(2, 2).requires_grad_();
    w.lu()[0].sum().backward();
    say(w.grad);
  },
  reversed: ({ say }) => {
    say(torch.arange(3).__reversed__(), torch.tensor(2).__reversed__());
  },
  removed: ({ fails }) => {
    const x: Any = torch.eye(2);
    fails(() => x.solve(x));
    fails(() => x.lstsq(x));
    fails(() => x.eig());
    fails(() => x.eig({ eigenvectors: true }));
    fails(() => x.symeig());
    fails(() => x.reinforce(1));
    fails(() => torch.solve(x, x));
    fails(() => torch.lstsq(x, x));
    fails(() => torch.eig(x));
    fails(() => torch.symeig(x));
    fails(() => torch.matrix_rank(x));
    fails(() => x.solve());
  },
  frequencies: ({ say, fails }) => {
    const { fftfreq, rfftfreq } = torch.fft;
    say(fftfreq(0), fftfreq(1), fftfreq(4), fftfreq(5, 0.5));
    say(rfftfreq(0), rfftfreq(5), rfftfreq(6, { d: 0.5 }), rfftfreq(-1), rfftfreq(-3));
    say(fftfreq(5, { d: 0 }));
    say(fftfreq(5, 0.1, { dtype: torch.float64 }), fftfreq({ n: 4, d: 2, dtype: torch.float16 }));
    say(fftfreq(5, { device: "meta" }), fftfreq(5, { requires_grad: true }));
    say(fftfreq(4, { out: torch.empty(0, { dtype: torch.float64 }) }), rfftfreq(4, { out: torch.empty(3) }));
    fails(() => fftfreq(-1));
    fails(() => fftfreq(4, { dtype: torch.int64 }));
    fails(() => rfftfreq(4, { dtype: torch.int64 }));
    fails(() => rfftfreq(4, { out: torch.empty(3, { dtype: torch.int64 }) }));
    fails(() => fftfreq(2.5));
    fails(() => (fftfreq as Any)());
  },
  "zero in the middle": ({ say, fails }) => {
    const { fftshift, ifftshift } = torch.fft;
    const x = floats(10).reshape(2, 5);
    say(fftshift(x), fftshift(x, { dim: 1 }), fftshift(x, { dim: [0, -1] }));
    say(ifftshift(x), ifftshift(x, -1), fftshift(x, [1, 1]));
    say(ifftshift(fftshift(x)).equal(x), fftshift(torch.arange(4)));
    say(fftshift(x.to("meta")), fftshift(torch.empty(0, 2)));
    fails(() => fftshift(x, { dim: 2 }));
    fails(() => fftshift(x, { dim: [] }));
    fails(() => fftshift(torch.tensor(1.5)));
    fails(() => (fftshift as Any)(3));
    const w = torch.ones(3, { requires_grad: true });
    const y = ifftshift(w);
    say(y);
    y.mul(floats(3)).sum().backward();
    say(w.grad);
  },
  "threads between operators": ({ say, fails }) => {
    say(torch.get_num_interop_threads() > 0);
    for (const n of [0, "a", 2.5, true]) fails(() => loose.set_num_interop_threads(n));
    torch.set_num_interop_threads(3);
    say(torch.get_num_interop_threads());
    fails(() => torch.set_num_interop_threads(3));
  },
  "anomaly detection by a function": ({ say, fails }) => {
    const now = () => say(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled());
    torch.set_anomaly_enabled(true);
    now();
    torch.set_anomaly_enabled({ enabled: true, check_nan: false });
    now();
    torch.set_anomaly_enabled(false);
    now();
    fails(() => loose.set_anomaly_enabled(1));
    fails(() => loose.set_anomaly_enabled(true, 1));
    fails(() => loose.set_anomaly_enabled());
  },
  "an old storage": ({ say }) => {
    const x = numbers([1.5, 2.5]);
    const s = x.storage();
    say(s);
    say(s.size(), s.tolist(), s.data_ptr() === x.data_ptr(), s.dtype);
    say(x.to("meta").storage());
  },
  "symmetric matrices as L D L^T": ({ say, fails }) => {
    const { ldl_factor, ldl_factor_ex, ldl_solve } = torch.linalg;
    const A = numbers([0, 1, 2, 1, 0, 3, 2, 3, 0]).reshape(3, 3);
    const [LD, pivots]: Any = ldl_factor(A);
    say(LD, pivots);
    say(ldl_factor_ex(A, { hermitian: true }));
    say(ldl_solve(LD, pivots, torch.ones(3, 1)));
    say(ldl_solve(LD, pivots, floats(12).reshape(2, 3, 2)));
    const double = { dtype: torch.float64 };
    const half = torch.arange(72, double).mul(7).remainder(11).sub(5).reshape(2, 6, 6);
    const S = half.add(half.mT);
    say(ldl_factor(S));
    const [LDs, pivots_]: Any = ldl_factor(S);
    say(ldl_solve(LDs, pivots_, torch.arange(6, double).reshape(6, 1)));
    const eye = torch.eye(6, double);
    for (const k of [1, 2, 3])
      say(
        ldl_factor(
          S.mul(
            eye
              .mul(k - 1)
              .neg()
              .add(1),
          ).add(eye.mul(k)),
        ).pivots,
      );
    say(ldl_factor_ex(torch.zeros(2, 2, 2)));
    say(ldl_factor(torch.ones(0, 0)));
    const meta = { device: "meta" };
    say(ldl_factor(A.to("meta")), ldl_solve(LD.to("meta"), pivots.to("meta"), torch.ones(2, 3, 1, meta)));
    fails(() => ldl_factor(A.long()));
    fails(() => ldl_factor(A.half()));
    fails(() => ldl_factor(torch.ones(2)));
    fails(() => ldl_factor(torch.ones(2, 3)));
    fails(() => ldl_solve(LD, pivots, torch.ones(4, 1)));
    fails(() => ldl_solve(LD, pivots, torch.ones(3)));
    fails(() => ldl_solve(LD, pivots, torch.ones(3, 1).double()));
    fails(() => ldl_solve(LD, pivots.narrow(0, 0, 2), torch.ones(3, 1)));
    fails(() => ldl_solve(LD, pivots.float(), torch.ones(3, 1)));
    fails(() => ldl_factor(A.clone().requires_grad_()).LD.sum().backward());
  },
});

test("no memory is shared with another process", () => {
  expect(() => torch.ones(1).share_memory_()).toThrow(
    "Tensor.share_memory_ is not implemented: a program runs in one process",
  );
});
