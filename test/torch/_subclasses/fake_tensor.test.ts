/** Fake tensors: what a program sees of them, and shapes, dtypes, strides and devices beside those of real tensors. */
import "glasstorch/fx";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import type { Recorded } from "../../helpers/opinfo.ts";
import { readFixture } from "../../helpers/recorded.ts";
import { compare, DIFFERS_IN_PYTORCH, operators } from "./fake_against_real.ts";

/** The lines that a program prints; each was printed by PyTorch 2.13.0 too. */
function printed(source: string): string[] {
  let out = "";
  python(
    `import torch\nfrom torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode\n` +
      `mode = FakeTensorMode()\n` +
      `def attempt(fn):\n    try:\n        print(fn())\n    except Exception as e:\n        print(type(e).__name__, e)\n${source}`,
    { filename: "fake.py", stdout: (text: string) => (out += text) },
  );
  return out.trimEnd().split("\n");
}

test("a fake tensor knows everything but its data", () => {
  expect(
    printed(`
x = torch.randn(2, 3, requires_grad=True)
fake = mode.from_tensor(x)
print(fake, fake.device, fake is mode.from_tensor(x))
with mode:
    z = fake @ torch.ones(3)
    print(z, torch.tensor([1, 2]), torch.empty(3, device='meta'), (fake * 2)[0].t().stride())
    attempt(lambda: z.sum().item())
    attempt(lambda: torch.ones(3)[torch.ones(3) > 0])
    attempt(lambda: torch.empty(3, device='meta') + torch.ones(3))
    t = torch.tensor(3.0)
    print((t + 1).item(), t.add_(1).item(), t.constant)
    t.uniform_()
    attempt(lambda: t.item())
    l = torch.nn.Linear(3, 4)
    l(torch.ones(2, 3)).sum().backward()
    print(l.weight, l.weight.grad)
attempt(lambda: fake + torch.ones(3))
attempt(lambda: z.numpy())
v = mode.from_tensor(torch.arange(6.).view(2, 3)[1])
print(v, v.storage_offset(), v._base, v.untyped_storage().nbytes())
print(isinstance(mode.from_tensor(l.weight), torch.nn.Parameter))
`),
  ).toEqual([
    "FakeTensor(..., size=(2, 3), requires_grad=True) cpu True",
    "FakeTensor(..., size=(2,), grad_fn=<MvBackward0>) FakeTensor(..., size=(2,), dtype=torch.int64) FakeTensor(..., device='meta', size=(3,)) (1,)",
    "DataDependentOutputException aten._local_scalar_dense.default",
    "DynamicOutputShapeException aten.nonzero.default",
    "FakeTensorDeviceMismatchError Expected all tensors to be on the same device, but found at least two devices, meta and cpu!",
    "4.0 4.0 tensor(4.)",
    "DataDependentOutputException aten._local_scalar_dense.default",
    "Parameter(FakeTensor(..., size=(4, 3), requires_grad=True)) FakeTensor(..., size=(4, 3))",
    "AssertionError Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with 'allow_non_fake_inputs'. Found in aten.add.Tensor(FakeTensor(..., size=(2, 3), requires_grad=True), tensor([...], size=(3,)))",
    "RuntimeError .numpy() is not supported for tensor subclasses.",
    "FakeTensor(..., size=(3,)) 3 FakeTensor(..., size=(6,)) 24",
    "True",
  ]);
});

/** Every operator's samples: a run takes the first of some operators. */
test.each(cases_in_turn("operators whose fake results are as the real ones", operators(), 32))("%s", (name) => {
  const recorded = readFixture<Recorded>(new URL(`../../fixtures/opinfo/${name}.json.gz`, import.meta.url));
  const { samples, differences } = compare(recorded, 1, 1);
  expect(samples).toBeGreaterThanOrEqual(0);
  if (!DIFFERS_IN_PYTORCH.has(name)) expect(differences).toEqual([]);
});
