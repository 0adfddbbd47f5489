/**
 * @file The playground alone: a program of one's own, the library's files, and the recording, with all the width there is.
 * @original
 */
import Playground from "@site/src/playground";
import { program, whatIf } from "@site/src/playground/first_program";
import Layout from "@theme/Layout";
import type { ReactNode } from "react";

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
        <Playground open code={program} whatIf={whatIf} />
      </main>
    </Layout>
  );
}
