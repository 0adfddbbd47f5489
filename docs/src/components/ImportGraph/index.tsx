/**
 * @file The import graph of a layer: drawn when the site is built (site/import_graphs.ts), each node a link to its source. Pointing at a node,
 * or moving to it by keyboard, shows its neighbours. A list says the same in words.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import clsx from "clsx";
import { type CSSProperties, type ReactNode, useId, useMemo, useState } from "react";
import type { GraphNode, ImportGraphData } from "../../../site/import_graphs";
import styles from "./styles.module.css";

interface Props {
  /** A graph of site/import_graph_plans.ts. */
  readonly of: string;
  /** The graph as JSON; put there by site/remark_import_graph.ts. */
  readonly data?: string;
}

const isGenerated = (node: GraphNode): boolean => node.files.every((file) => file.includes("/generated/"));

function files(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

export default function ImportGraph({ of, data }: Props): ReactNode {
  if (data === undefined) throw new Error(`<ImportGraph of="${of}" />: no graph was made for it`);
  const graph = useMemo(() => JSON.parse(data) as ImportGraphData, [data]);
  return <Figure graph={graph} />;
}

function Figure({ graph }: { readonly graph: ImportGraphData }): ReactNode {
  const source = useBaseUrl("/source/");
  const id = useId().replaceAll(":", "");
  const [active, setActive] = useState<string | null>(null);
  const byId = useMemo(() => new Map(graph.nodes.map((n) => [n.id, n])), [graph]);
  const importedBy = useMemo(() => {
    const map = new Map<string, string[]>(graph.nodes.map((n) => [n.id, []]));
    for (const n of graph.nodes) for (const target of n.imports) map.get(target)?.push(n.id);
    return map;
  }, [graph]);
  const label = (node: string): string => byId.get(node)?.label ?? node;
  const current = active === null ? undefined : byId.get(active);
  const stateOf = (node: GraphNode): string | undefined => {
    if (current === undefined) return undefined;
    if (node === current) return styles.active;
    if (current.imports.includes(node.id)) return styles.imported;
    return node.imports.includes(current.id) ? styles.importer : styles.dim;
  };
  const linkTo = (node: GraphNode): string => `${source}?file=${node.path}`;
  const below = listed(graph.below.map((b) => `${b.layer} (${files(b.files)} of these)`));
  const above = listed(graph.above.map((a) => `${a.layer} (${files(a.files)})`));

  return (
    <figure className={styles.figure}>
      <div className={styles.scroll}>
        <svg
          viewBox={`0 0 ${graph.width} ${graph.height}`}
          style={{ "--width": `${graph.width}px` } as CSSProperties}
          aria-labelledby={`${id}-title`}
          role="group"
        >
          <title id={`${id}-title`}>{`Imports: ${graph.title}`}</title>
          <defs>
            <marker
              id={`${id}-arrow`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerUnits="userSpaceOnUse"
              markerWidth="8"
              markerHeight="8"
              orient="auto"
            >
              <path d="M0,1 L7,4 L0,7 z" className={styles.head} />
            </marker>
          </defs>
          {graph.bands.map((band) => (
            <g key={band.label}>
              <rect className={styles.band} x={0} y={band.y} width={graph.width} height={band.height} rx={6} />
              <text className={styles.bandLabel} x={10} y={band.y + 16}>
                {band.label}
              </text>
            </g>
          ))}
          {graph.edges.map(({ from, to, path }) => (
            <path
              key={`${from} ${to}`}
              d={path}
              markerEnd={`url(#${id}-arrow)`}
              className={clsx(
                styles.edge,
                active !== null && (from === active || to === active ? styles.edgeActive : styles.edgeDim),
              )}
            />
          ))}
          {graph.nodes.map((node) => (
            <a
              key={node.id}
              href={linkTo(node)}
              className={clsx(styles.node, isGenerated(node) && styles.generated, stateOf(node))}
              onMouseEnter={() => setActive(node.id)}
              onMouseLeave={() => setActive(null)}
              onFocus={() => setActive(node.id)}
              onBlur={() => setActive(null)}
            >
              <rect
                x={node.x - node.width / 2}
                y={node.y - node.height / 2}
                width={node.width}
                height={node.height}
                rx={5}
              />
              <text className={styles.label} x={node.x} y={node.note === "" ? node.y + 4 : node.y - 2}>
                {node.label}
              </text>
              {node.note !== "" && (
                <text className={styles.note} x={node.x} y={node.y + 12}>
                  {node.note}
                </text>
              )}
            </a>
          ))}
        </svg>
      </div>
      <p className={styles.status} aria-hidden="true">
        {current === undefined
          ? "Point at a box to see its imports and its importers; each box is a link to its source."
          : `${current.label} imports ${current.imports.length} of these nodes and is imported by ${importedBy.get(current.id)?.length ?? 0}.`}
      </p>
      <figcaption>
        {files(graph.fileCount)} and {graph.importCount} imports between them, read from the sources. An arrow points
        from a file to the file it imports; arrows that follow from others are left out, and so are imports of types
        only. Dashed boxes are written by the code generator.
        {below !== "" && ` Below, these import from ${below}.`}
        {above !== "" && ` From above, these are imported by ${above}.`}
      </figcaption>
      <details className={styles.list}>
        <summary>The graph as a list</summary>
        <ul>
          {graph.nodes.map((node) => (
            <li key={node.id}>
              <a href={linkTo(node)}>{node.label}</a>
              {node.files.length > 1 && ` (${files(node.files.length)})`}
              {node.imports.length === 0
                ? " imports none of the other boxes"
                : ` imports ${listed(node.imports.map(label))}`}
            </li>
          ))}
        </ul>
      </details>
    </figure>
  );
}
