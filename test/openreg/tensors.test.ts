/**
 * Tensors and storages of a backend outside of the library, against PyTorch with the same backend: methods made for it, what is printed,
 * what falls back to the CPU, and what is said when devices are mixed.
 */
import { type Any, compare, error_of, F, leaf, openreg, repr, type Tensor, there, torch, x } from "./recorded.ts";

/** Only results are compared: the steps differ, and each step asks the guard. */
const results_only = { results_only: true };

const on = { device: "openreg" };
const on1 = { device: "openreg:1" };

function bytes_there(values: number[], index = 0): Any {
  const storage = new torch.UntypedStorage(values.length, { device: `openreg:${index}` });
  return storage.copy_(new torch.UntypedStorage(values));
}

const list = (storage: Any): number[] => storage.tolist();

compare(
  "storage",
  {
    new: () => [new torch.UntypedStorage(4, on).device, new torch.UntypedStorage(4, on1).device],
    "new of a stranger": () => new torch.UntypedStorage(4, { device: "ve" }),
    location_tag: () => torch.serialization.location_tag(new torch.UntypedStorage(4, on)),
    tolist: () => list(bytes_there([1, 2, 3], 1)),
    "an element": () => bytes_there([1, 2, 3]).at(1),
    fill_: () => list(bytes_there([1, 2, 3]).fill_(7)),
    clone: () => {
      const s = bytes_there([1, 2], 1);
      return [s.clone().device, list(s.clone()), s.clone().data_ptr() !== s.data_ptr()];
    },
    cpu: () => [bytes_there([5, 6]).cpu().device, list(bytes_there([5, 6]).cpu())],
    to: () => [
      bytes_there([5, 6]).to({ device: torch.device("openreg:1") }).device,
      list(bytes_there([5, 6]).to({ device: torch.device("cpu") })),
    ],
    resize_: () => {
      const s = bytes_there([1, 2, 3], 1);
      return [s.resize_(5).nbytes(), list(s).slice(0, 3), s.device];
    },
    "resize_ of the tensor": () => {
      const t = there(1);
      return [t.resize_(3, 4).shape, t.flatten().at(torch.slice(null, 6)), t.untyped_storage().nbytes()];
    },
    set_: () => torch.empty(0, on).set_(there().untyped_storage()),
    "set_ to the other of two": () => torch.empty(0, on1).set_(there().untyped_storage()),
    "set_ to another device": () => torch.empty(0).set_(there().untyped_storage()),
    repr: () => repr(bytes_there([1, 2], 1)),
    is_openreg: () => [bytes_there([1]).is_openreg, (new torch.UntypedStorage(1) as Any).is_openreg],
    "openreg()": () => {
      const s = new torch.UntypedStorage([1, 2]) as Any;
      return [s.openreg().device, list(s.openreg(1))];
    },
    "openreg() of the same": () => {
      const s = bytes_there([1]);
      return s.openreg() === s;
    },
    "copy_ of other sizes": () => bytes_there([1]).copy_(new torch.UntypedStorage(2)),
    data_ptr: () => {
      const t = there();
      return [
        t.data_ptr() !== 0,
        (t.at(1).data_ptr() as number) - (t.data_ptr() as number),
        t.data_ptr() === t.untyped_storage().data_ptr(),
      ];
    },
  },
  results_only,
);

const a = x as Any;

function linear(): Any {
  const net = new torch.nn.Linear(2, 1);
  torch.no_grad(() => {
    net.weight.fill_(0.5);
    net.bias?.fill_(1);
  });
  return net;
}

const packed = (): Any => new torch.nn.utils.rnn.PackedSequence(torch.arange(F(5)), torch.tensor([3, 2]));
const devices = (net: Any): string[] => [...net.parameters()].map((p) => String(p.device));

compare(
  "methods",
  {
    tensor: () => [
      a.openreg().device,
      a.openreg(1).device,
      a.openreg("openreg:1").device,
      a.openreg(torch.device("openreg")).device,
    ],
    "of another type": () => a.openreg("cpu"),
    is_openreg: () => [a.is_openreg, (there() as Any).is_openreg],
    "of the same": () => {
      const t = there() as Any;
      return t.openreg() === t;
    },
    module: () => devices(linear().openreg()),
    "module, index": () => devices(linear().openreg(1)),
    "module is itself": () => {
      const m = linear();
      return m.openreg() === m;
    },
    "packed sequence": () => [
      packed().openreg().data.device,
      packed().openreg().is_openreg,
      packed().is_openreg,
      packed().openreg().batch_sizes.device,
    ],
    "packed sequence, index": () => packed().openreg("openreg:1").data.device,
    twice: () => torch.utils.generate_methods_for_privateuse1_backend(),
    "module registered twice": () =>
      error_of(() => torch._register_device_module("openreg", openreg)).split(" with ")[0],
    "module of a stranger": () => error_of(() => torch._register_device_module("dev", openreg)).split(",")[0],
    "renamed again": () => torch.utils.rename_privateuse1_backend("openreg"),
    "renamed to another": () => torch.utils.rename_privateuse1_backend("dev"),
    "function of the module": () => (torch.utils.backend_registration._get_custom_mod_func("device_count") as Any)(),
    "no function of the module": () => torch.utils.backend_registration._get_custom_mod_func("func_name_"),
    keyword: () => a.openreg({ device: 1, non_blocking: true }).device,
    "memory format": () => (torch.ones(1, 2, 2, 2) as Any).openreg({ memory_format: torch.channels_last }).stride(),
  },
  results_only,
);

const dtypes = ["bool", "float64", "float32", "float16", "int32", "int64", "int8", "int16", "uint8"] as const;

compare(
  "tensor",
  {
    repr: () => repr(there(1)),
    "repr of a leaf": () => repr(leaf()),
    "repr of ints": () => repr(torch.tensor([1, 2], on)),
    type: () => dtypes.map((dtype) => torch.empty(1, { dtype: torch[dtype], device: "openreg" }).type()),
    new: () => there(1).new_zeros(2).device,
    "tensor of a tensor": () => torch.as_tensor(x, on1).device,
    "empty list": () => {
      const t = torch.tensor([], on);
      return [t.device, t.dtype, t.shape];
    },
    "to of the same": () => {
      const t = there();
      return [t.to("openreg") === t, t.to("openreg:0") === t];
    },
    "to another dtype": () => there().to(torch.int64),
    "to device and dtype": () => x.to("openreg:1", torch.float64),
    type_as: () => x.type_as(there(1)).device,
    channels_last: () => torch.empty(1, 2, 3, 4, { device: "openreg", memory_format: torch.channels_last }).stride(),
    empty_strided: () => torch.empty_strided([3, 4], [1, 3], on1).stride(),
    expand: () => {
      const t = torch.tensor([[1], [2], [3]], on);
      return [t.expand(3, 2), t.expand(3, 2).data_ptr() === t.data_ptr()];
    },
    "data from the device": () => {
      const t = torch.zeros(1);
      t.data = there(1);
      return [null, t.device, t];
    },
    deepcopy: () => there(1).__deepcopy__(new Map()),
    equal: () => [torch.equal(there(), there()), torch.equal(there(), there().add(1))],
    allclose: () => torch.allclose(there(), there()),
    tolist: () => there(1).tolist(),
    numpy: () => (there(1) as Any).numpy(),
    "bool of one": () => there().at(0, 0).eq(1).item(),
    "index by one": () => there().at(torch.tensor([1, 0], on), torch.tensor([0, 2], on)),
    "index by the CPU's": () => there().at(torch.tensor([1, 0])),
    mask: () => there().at(there().gt(3)),
    "item assigned": () => {
      const t = there(1);
      t.set_at(7, torch.slice(), 1);
      return [null, t];
    },
  },
  results_only,
);

const empty = (dtype: Any = torch.float32): Tensor => torch.empty(0, { dtype, device: "openreg" });

compare(
  "fallback",
  {
    "no tensor argument": () => torch.triu_indices(3, 3, on1),
    sub: () => there().sub(there().mul(2)),
    lists: () => torch._foreach_add([there(), there()], [there(), there()]),
    "lists in place": () => {
      const lists = [there(), there(1)];
      torch._foreach_mul_(lists, 2);
      return [lists, lists];
    },
    "list of one out": () => torch.stack([there(), there()], 1),
    "several results": () => [...there().max(1)],
    "several outs": () => {
      const [v, i] = [empty(), empty(torch.int64)];
      torch.max(there(), 1, { out: [v, i] });
      return [v, i];
    },
    "list of results": () => [...torch.split(there(), 1), ...there().unbind(1)],
    "in place": () => {
      const t = there();
      return [t.mul_(2) === t, t];
    },
    "in place on a view": () => {
      const t = there();
      return [t.at(torch.slice(), 1).exp_(), t];
    },
    "out= that fits": () => {
      const out = torch.empty(2, 2, on);
      return [torch.mm(there(), there().t(), { out }) === out, out];
    },
    "out= that does not fit": () => torch.mm(there(), there().t(), { out: torch.empty(3, on) }),
    masked_select: () => torch.masked_select(there(), there().gt(2)),
    nonzero: () => there().nonzero(),
    unique: () => torch.tensor([3, 1, 3], on).unique(),
    conv: () => torch.nn.functional.conv1d(there().view(1, 2, 3), torch.ones(1, 2, 2, on)),
    layer_norm: () => torch.nn.functional.layer_norm(there(1), [3]),
    softmax: () => there().softmax(1),
    embedding: () => torch.nn.functional.embedding(torch.tensor([1, 0], on), there()),
    "an error of the CPU": () => there().mm(there()),
    "a bool result": () => there().is_same_size(there()),
    "scalars beside": () => there().add(torch.tensor(F(1))),
    "optional tensors": () => there().index_put_([torch.tensor([0, 1], on)], torch.tensor(F(9), on)),
    einsum: () => torch.einsum("ij,kj->ik", there(), there()),
    where: () => torch.where(there().gt(3), there(), torch.zeros([], on)),
    linspace: () => torch.linspace(0, 1, 3, on1),
    full_like: () => torch.full_like(there(1), 2),
    sort: () => [...torch.tensor([F(3), F(1)], on).sort()],
  },
  results_only,
);

compare(
  "mixed",
  {
    "two devices": () => there(0).mul(there(1)),
    "with the CPU": () => there().mul(x),
    "the CPU first": () => x.mul(there()),
    "in place": () => there().mul_(x),
    "out=": () => torch.mul(there(), there(), { out: torch.empty(0) }),
    cat: () => torch.cat([there(), x]),
    where: () => torch.where(there().gt(1), x, there()),
    linear: () => torch.nn.functional.linear(there(), x),
    addmm: () => torch.addmm(x, there(), x.t()),
    index_select: () => x.index_select(0, torch.tensor([0], on)),
    backward: () =>
      leaf()
        .sum()
        .backward(torch.tensor(F(1))),
  },
  results_only,
);
