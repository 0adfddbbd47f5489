/**
 * @file The playground alone: a program of one's own, the library's files, and the recording, with all the width there is.
 * @original
 */
import Playground from "@site/src/playground";
import Layout from "@theme/Layout";
import type { ReactNode } from "react";

const program = `import torch from "glasstorch";
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

export default function PlaygroundPage(): ReactNode {
  return (
    <Layout
      title="Playground"
      description="Run a program on glasstorch in this page, watch every call it makes, and change the library's own files."
    >
      <main className="pg-page">
        <h1>Playground</h1>
        <p>
          The program runs in this page, on the library’s own TypeScript sources. Open one of them, change it, and run
          again: the code generator runs again, too. Nothing leaves your browser. If your browser has WebGPU,{" "}
          <code>import "glasstorch/webgpu"</code> turns that device on, and you can change its kernels as well.
        </p>
        <Playground
          open
          code={program}
          whatIf={[
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
          ]}
        />
      </main>
    </Layout>
  );
}
