/**
 * @file Compiles every page as far as the site's own rules go, without building the site: regions, words, operators, symbols, traces.
 * `npx tsx site/check_pages.ts [part of a path]` takes seconds.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { remarkImportGraph } from "./remark_import_graph.ts";
import { remarkSite } from "./remark_site.ts";
import { docs } from "./repository.ts";

async function check(): Promise<void> {
  const { createProcessor } = await import("@mdx-js/mdx");
  const { default: remarkFrontmatter } = await import("remark-frontmatter");
  const { default: remarkGfm } = await import("remark-gfm");
  const processor = createProcessor({
    remarkPlugins: [remarkFrontmatter, remarkGfm, remarkSite as never, remarkImportGraph as never],
  });
  const content = join(docs, "content");
  const pages = readdirSync(content, { recursive: true })
    .map(String)
    .filter((path) => /\.mdx?$/.test(path) && path.includes(process.argv[2] ?? ""));
  let wrong = 0;
  for (const page of pages) {
    try {
      // Docusaurus writes comments of headings as `{/* #id */}` too; both are expressions to MDX.
      await processor.process({ value: readFileSync(join(content, page), "utf8"), path: join(content, page) } as never);
    } catch (error) {
      wrong++;
      console.error(
        `${(error as Error).message.startsWith("docs/") ? "" : `docs/content/${page}: `}${(error as Error).message}`,
      );
    }
  }
  console.log(`${pages.length} pages, ${wrong} wrong`);
  process.exit(wrong === 0 ? 0 : 1);
}

check();
