/**
 * @file A recording of the reader's own in the viewer: what a walkthrough or `record()` wrote, or torch.profiler.
 * @original
 */
import { OpenTrace } from "@site/src/components/viewer/OpenTrace";
import Layout from "@theme/Layout";
import type { ReactNode } from "react";

export default function ViewerPage(): ReactNode {
  return (
    <Layout
      title="Viewer"
      description="Opens a trace of glasstorch, or one that torch.profiler of PyTorch wrote, step by step."
    >
      <OpenTrace />
    </Layout>
  );
}
