/**
 * @file Gives `<ImportGraph of="…" />` its graph, which prepare.ts has made. A name that no plan has ends the build with the page and line.
 * @original
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFolder } from "./generated";
import { graphFile, graphPlans } from "./import_graph_plans";

/** The parts of mdast's nodes that are looked at here. */
interface Node {
  readonly type: string;
  readonly name?: string | null;
  attributes?: { type: string; name: string; value: unknown }[];
  readonly children?: Node[];
  readonly position?: { readonly start: { readonly line: number } };
}

export function remarkImportGraph() {
  return (tree: Node, file: { readonly path: string }): void => {
    const visit = (node: Node): void => {
      if (node.name === "ImportGraph") give(node, file.path);
      for (const child of node.children ?? []) visit(child);
    };
    visit(tree);
  };
}

function give(node: Node, page: string): void {
  const where = `${page}:${node.position?.start.line ?? 0}`;
  const of = node.attributes?.find(({ name }) => name === "of")?.value;
  if (!graphPlans.some(({ id }) => id === of))
    throw new Error(
      `${where}: <ImportGraph of="${String(of)}" />: the graphs are ${graphPlans.map(({ id }) => id).join(", ")}`,
    );
  const path = join(generatedFolder, "import_graphs", graphFile(of as string));
  if (!existsSync(path)) throw new Error(`${where}: ${path} is missing; npm run prepare-site makes it`);
  node.attributes?.push({ type: "mdxJsxAttribute", name: "data", value: readFileSync(path, "utf8").trim() });
}
