/**
 * @file The page of search results, with a main part, and with the way to names: the search knows prose, *Where is it?* knows symbols.
 * @original
 */
import Link from "@docusaurus/Link";
import { useLocation } from "@docusaurus/router";
import Layout from "@theme/Layout";
import Original from "@theme-original/SearchPage";
import type { ReactElement, ReactNode } from "react";

// The theme's page is a layout around its content, and has no part that could be exchanged: its content is taken out.
const content = (Original as () => ReactElement<{ readonly children: ReactNode }>)().props.children;

export default function SearchPage(): ReactNode {
  const asked = new URLSearchParams(useLocation().search).get("q") ?? "";
  return (
    <Layout title="Search">
      <main className="search-page">
        {content}
        <p className="search-further container">
          Is it the name of a function, a class, a file, or a line of a stack trace?{" "}
          <Link to={`/lookup/${asked === "" ? "" : `#q=${encodeURIComponent(asked)}`}`}>Where is it?</Link> knows
          PyTorch’s names. What PyTorch has and this library has not is on <Link to="/not-built/">one page</Link>.
        </p>
      </main>
    </Layout>
  );
}
