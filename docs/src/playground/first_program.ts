/**
 * @file The program with which the page of the playground begins, and its switches. The build of the site measures which parts of the library it
 * needs, and these parts come with the first run.
 * @original
 */
import type { Switch } from "./switches.ts";

export const program = `import torch from "glasstorch";
import { record } from "glasstorch/trace";

// Change anything, then run. What happens inside
// record(…) is shown step by step; a program
// without record(…) is shown whole.
const net = new torch.nn.PReLU();
const x = torch.randn([2, 3],
  { requires_grad: true });

record(() => {
  const y = net(x);
  console.log(y);
});
`;

export const whatIf: readonly Switch[] = [
  {
    label: "x requires a gradient",
    choices: [
      { label: "yes", code: "{ requires_grad: true }" },
      { label: "no", code: "{ requires_grad: false }" },
    ],
  },
  {
    label: "x has",
    choices: [
      { label: "two dimensions", code: "torch.randn([2, 3]" },
      { label: "one", code: "torch.randn([6]" },
    ],
  },
  {
    label: "called under",
    choices: [
      { label: "grad mode", code: "const y = net(x);" },
      { label: "no_grad", code: "const y = torch.no_grad(() => net(x));" },
      { label: "inference_mode", code: "const y = torch.inference_mode(() => net(x));" },
    ],
  },
];

/** The program with each choice of each switch, one at a time. */
function variants(): string[] {
  const choices = whatIf.flatMap(({ choices: [first, ...others] }) =>
    others.map(({ code }) => program.replace(first?.code ?? "", () => code)),
  );
  return [program, ...choices];
}

/** Lines that a reader types first in the place of the page's program: values of each kind printed, a shape changed, a gradient. */
const firstLines: readonly string[] = [
  "console.log(torch.ones([2]).add(1));",
  "const x = torch.ones([2, 3]);\nconsole.log(x.shape, x.size(), x.shape.length, String(x.shape));",
  "console.log(torch.tensor([1, 2, 3]), torch.tensor([1.5, -2e6]), torch.tensor([true, false]), torch.tensor(4));",
  "console.log(torch.zeros([2, 3]), torch.arange(6).view([2, 3]).t(), torch.rand([40, 40]));",
  "const x = torch.ones([2, 2], { requires_grad: true });\nx.mul(x).sum().backward();\nconsole.log(x.grad, x.sum());",
  "console.log(torch.ones([2, 3]).matmul(torch.ones([3, 2])), String(torch.ones([2]).shape));",
  "console.log(torch.randn([3]).relu().mean().item(), torch.ones([2]).tolist());",
].map((lines) => `import torch from "glasstorch";\n${lines}\n`);

/** The path of the page's program. */
export const PLAYGROUND = "playground/program.ts";
/** The pack `for-playground` has what these programs need and the core has not. */
export const FIRST_PACK = "playground";
export const FIRST_PROGRAMS: readonly string[] = [...variants(), ...firstLines];
