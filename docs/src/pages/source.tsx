/**
 * @file `/source/?file=src/c10/core/TensorImpl/index.ts#L40`: any source file of the repository, with PyTorch's beside its name.
 * @original
 */
import BrowserOnly from "@docusaurus/BrowserOnly";
import useBrokenLinks from "@docusaurus/useBrokenLinks";
import { SourceView } from "@site/src/components/source/SourceView";
import Layout from "@theme/Layout";
import type { ReactNode } from "react";

/** Longer than any file; links to lines are links to anchors, which the build checks. */
const mostLines = 12_000;

export default function SourcePage(): ReactNode {
  const { collectAnchor } = useBrokenLinks();
  for (let line = 1; line <= mostLines; line++) collectAnchor(`L${line}`);
  return (
    <Layout title="Source" description="The sources of glasstorch, each file with the PyTorch file it mirrors.">
      <main className="source">
        <h1>Source</h1>
        <BrowserOnly>{() => <SourceView />}</BrowserOnly>
      </main>
    </Layout>
  );
}
