/** Devices that are not there, switches of their libraries, and the default device: tools/oracle/user_programs/devices.py. */
import torch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const { nn, cuda, xpu, mps } = torch;
const { cudnn } = torch.backends;
const t: Any = torch;

user_programs("devices", {
  "what a script asks first": ({ say }) => {
    say(cuda.is_available(), cuda.device_count(), cuda.is_initialized(), cuda.is_bf16_supported());
    const { mps: metal } = torch.backends;
    say(xpu.is_available(), xpu.device_count(), mps.device_count(), metal.is_available(), metal.is_built());
    say(torch.device(cuda.is_available() ? "cuda" : "cpu"));
    say(cuda.manual_seed(0), cuda.manual_seed_all(0), cuda.seed(), cuda.seed_all(), cuda.empty_cache());
    say(cuda.memory_allocated(), cuda.max_memory_allocated(), t.cuda.memory_reserved(0), cuda.max_memory_reserved());
    say(cuda.get_rng_state_all(), t.cuda.set_rng_state_all([]), cuda.get_arch_list(), cuda.get_gencode_flags());
    say(xpu.manual_seed_all(1), xpu.empty_cache(), xpu.memory_allocated(), mps.manual_seed(1));
    say(cudnn.is_available(), cudnn.version(), torch.backends.cuda.is_built());
    torch.manual_seed(3);
    say(torch.rand(1));
  },
  "what needs a card": ({ say, fails }) => {
    const x: Any = torch.ones(2);
    fails(() => x.cuda());
    fails(() => x.cuda(0));
    fails(() => x.cuda("cuda:1"));
    fails(() => x.cuda({ device: "cuda" }));
    fails(() => x.cuda("cpu"));
    fails(() => x.cuda(1.5));
    fails(() => x.to("cuda"));
    fails(() => x.to(torch.device("cuda", 1)));
    fails(() => x.to("cuda", torch.float64));
    fails(() => torch.ones(2, { device: "cuda" }));
    fails(() => torch.zeros_like(x, { device: "cuda" }));
    fails(() => torch.tensor([1.5], { device: "cuda:0" }));
    fails(() => x.new_ones(2, { device: "cuda" }));
    fails(() => new nn.Linear(2, 2).cuda());
    fails(() => new nn.Linear(2, 2).to("cuda"));
    fails(() => new nn.Linear(2, 2, { device: "cuda" }));
    say(new nn.ReLU().cuda(), new nn.ReLU().to("cuda"), new nn.Sequential(new nn.ReLU()).xpu());
    fails(() => x.xpu());
    fails(() => x.xpu("cpu"));
    fails(() => x.to("xpu"));
    fails(() => new nn.Linear(2, 2).xpu());
    fails(() => cuda.synchronize());
    fails(() => cuda.current_device());
    fails(() => cuda.get_device_name(0));
    fails(() => cuda.get_device_properties("cuda"));
    fails(() => cuda.get_device_capability());
    fails(() => cuda.mem_get_info());
    fails(() => cuda.init());
    fails(() => cuda.initial_seed());
    fails(() => cuda.get_rng_state());
    fails(() => cuda.current_stream());
    fails(() => new cuda.Stream());
    fails(() => new t.cuda.Event({ enable_timing: true }));
    fails(() => new cuda.device(0 as never).__enter__());
    fails(() => xpu.synchronize());
    fails(() => xpu.get_device_name());
    fails(() => mps.synchronize());
    fails(() => mps.empty_cache());
    fails(() => mps.current_allocated_memory());
    fails(() => torch.random.fork_rng({ devices: ["cuda:0"] as never }, () => null));
    say(x.to("cpu"));
  },
  switches: ({ say, fails }) => {
    say(cudnn.benchmark, cudnn.allow_tf32, cudnn.enabled, cudnn.deterministic);
    cudnn.benchmark = true;
    say(cudnn.benchmark);
    fails(() => {
      cudnn.benchmark = 1 as never;
    });
    cudnn.benchmark = false;
    const get = (): string => torch.get_float32_matmul_precision();
    say(get(), torch.set_float32_matmul_precision("high"), get());
    torch.set_float32_matmul_precision("exact");
    fails(() => torch.set_float32_matmul_precision(1 as never));
    say(get(), torch.set_float32_matmul_precision("highest"));
  },
  "the default device": ({ say, fails }) => {
    say(torch.get_default_device());
    torch.set_default_device("meta");
    say(
      torch.get_default_device(),
      torch.ones(2).device,
      torch.tensor([1]).device,
      torch.arange(3).device,
      torch.randn(2, 2).device,
    );
    const x = torch.ones(2, { device: "cpu" });
    say(x.device, torch.zeros_like(x).device, torch.as_tensor([1]).device);
    say(
      torch.full([2], 1.5).device,
      torch.eye(2).device,
      torch.linspace(0, 1, 3).device,
      torch.empty(1, { device: null }).device,
    );
    say(new nn.Linear(2, 3).weight.device, torch.hann_window(4).device, torch.triu_indices(2, 2).device);
    torch.set_default_device("cpu");
    say(torch.ones(2).device, torch.get_default_device());
    torch.set_default_device("cuda:1");
    say(torch.get_default_device());
    fails(() => torch.ones(2));
    torch.set_default_device(null);
    say(torch.get_default_device(), torch.ones(2).device);
    fails(() => torch.set_default_device("nowhere"));
  },
  "old names": ({ say, fails }) => {
    const { Variable } = torch.autograd as Any;
    const x: Any = torch.ones(2);
    const v = new Variable(x);
    v.__setitem__(0, 5);
    say(x, v === x, v._version, x._version, x instanceof Variable, (3 as Any) instanceof Variable);
    say(
      new Variable(x, { requires_grad: true }),
      new Variable(x, true).requires_grad,
      new Variable(),
      new Variable(null),
    );
    const result = (new nn.Linear(1, 1) as Any)(torch.ones(1));
    say(new Variable(result).grad_fn, new Variable(new nn.Parameter(x)).constructor === torch.Tensor);
    fails(() => new Variable([1, 2]));
    fails(() => new Variable(3));
    fails(() => new Variable(torch.ones(2, { dtype: torch.int32 }), { requires_grad: true }));
    say(new Variable(x, { volatile: true }));
    say(nn.utils.clip_grad_norm([torch.ones(1, { requires_grad: true })], 1));
    torch.set_default_tensor_type("torch.DoubleTensor");
    say(torch.get_default_dtype(), torch.ones(1).dtype);
    torch.set_default_tensor_type(torch.FloatTensor);
    say(torch.get_default_dtype());
    fails(() => torch.set_default_tensor_type("torch.IntTensor"));
    fails(() => torch.set_default_tensor_type("torch.Foo"));
    fails(() => torch.set_default_tensor_type(3));
    fails(() => torch.set_default_tensor_type(torch.float32));
    say(torch.get_default_dtype(), torch.pi, torch.e, torch.inf, torch.nan, torch.newaxis);
    const { typename } = torch;
    say(typename(x), typename(x.double()), typename(new nn.Linear(1, 1)), typename(nn.Linear), typename(3));
    say(typename("a"), typename(null), typename([x]), typename(torch.float32), typename(new nn.Parameter(x)));
    fails(() => torch.set_flush_denormal(1 as never));
    say(torch.set_flush_denormal(false));
  },
  "a module over several cards, where there are none": ({ say, fails }) => {
    const m: Any = new nn.DataParallel(new nn.Linear(2, 1), { device_ids: [0, 1] });
    const relu: Any = new nn.DataParallel(new nn.ReLU());
    say(m, m.device_ids, [...m.state_dict().keys()], m.module, relu(torch.tensor([-1, 2], { dtype: torch.float32 })));
    const state = new Map([...m.state_dict()].map(([k, v]: Any) => [k, torch.zeros_like(v)]));
    say(m.load_state_dict(state), m(torch.ones(1, 2)));
    fails(() => new nn.Linear(2, 1).load_state_dict(state as Any));
    say(m instanceof nn.DataParallel, m.module instanceof nn.DataParallel, [...m.parameters()].length);
  },
});
