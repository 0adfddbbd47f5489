/**
 * @file A page's information about its walkthrough: how many claims it checks, and how to see the same in PyTorch.
 * @original
 */
import Link from "@docusaurus/Link";
import type { ReactNode } from "react";

/** `<Claims of="prelu" />` */
export function Claims({ of, claims }: { readonly of: string; readonly claims?: string }): ReactNode {
  return (
    <p className="claims">
      <span aria-hidden="true">✓</span> {claims} claims of this page were checked when it was built, by running{" "}
      <code>npx tsx walkthroughs/{of}.ts</code>.
    </p>
  );
}

/** `<PythonLines of="prelu" />`: the lines themselves are put in when the page is compiled. */
export function PythonLines({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <section className="python-lines" aria-label="Try it in your own PyTorch">
      <p>Try it in your own PyTorch 2.13:</p>
      {children}
      <p>
        You can read a recording of <code>torch.profiler.profile()</code> like the traces here:{" "}
        <code>prof.export_chrome_trace("trace.json")</code> writes a file, and the <Link to="/viewer/">viewer</Link>{" "}
        opens it.
      </p>
    </section>
  );
}
