/** `make_fx` with tensors without data: the graph is the one of real tensors, and no kernel computes. */
import "glasstorch/fx";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const program = python(
  `import torch
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx
lin = torch.nn.Linear(3, 3)

def changed(x):
    y = x.clone(); y[0] = 1; y.add_(torch.tensor(2.0)); return y
def named(x): return F.conv2d(x.view(1, 1, 2, 3), torch.ones(2, 1, 2, 2)).max(1)
def constants(x): return torch.tensor(3) + torch.tensor(4), torch.tensor(2.0).item() * x
def gradient(x):
    x = x.requires_grad_()
    return torch.autograd.grad((x * x).sin().sum(), x)
def loss(x): return F.cross_entropy(x, torch.tensor([0, 1])), torch.rand_like(x), x.split(1)

def code(f, mode, **options): return make_fx(f, tracing_mode=mode, **options)(torch.linspace(-1, 1, 6).reshape(2, 3)).code
def value(): return make_fx(lambda x: x * 2, tracing_mode='fake')(torch.ones(2)).graph.find_nodes(op='call_function', target=torch.ops.aten.mul.Tensor)[0].meta['val']
def refused(): return code(lambda x: lin(x), 'fake')
def allowed(): return code(lambda x: lin(x), 'fake', _allow_non_fake_inputs=True)
`,
  { filename: "make_fx_fake.py", stdout: () => {} },
) as Any;

test.each(["changed", "named", "constants", "gradient", "loss"])("%s", (name) => {
  const real = program.code(program[name], "real");
  expect(real).toContain("torch.ops.aten.");
  expect(program.code(program[name], "fake")).toBe(real);
});

test("nodes hold fake tensors, and other tensors must be allowed", () => {
  expect(String(program.value())).toBe("FakeTensor(..., size=(2,))");
  expect(() => program.refused()).toThrow(
    "Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode",
  );
  expect(program.allowed()).toContain("_param_constant0 = self._param_constant0");
});
