/**
 * @file The first page: one call, recorded when the site was built, to step through; then the ways into the site.
 * @original
 */

import { Home } from "@site/src/components/home/Home";
import Layout from "@theme/Layout";
import type { ReactNode } from "react";

export default function Index(): ReactNode {
  return (
    <Layout description="PyTorch 2.13 in TypeScript, with every layer, and with every call recorded: follow torch.nn.PReLU from Python to the line that computes.">
      <Home />
    </Layout>
  );
}
