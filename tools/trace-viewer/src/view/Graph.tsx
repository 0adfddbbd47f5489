/**
 * @file The autograd graph: nodes and edges in the recording, and the engine's path through it. A node is filled once
 * the engine has run it, so stepping or playing shows the order.
 * @original
 */
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { type GraphNode, graphOf } from "../model/graph.ts";
import { describe } from "../model/label.ts";
import type { TraceModel } from "../model/TraceModel.ts";
import { type GraphLayout, layOutGraph, mostNodes, nodeHeight, nodeWidth } from "./graphLayout.ts";
import { useWidth } from "./screen.ts";

interface GraphProps {
  readonly model: TraceModel;
  /** Current event. */
  readonly current: number;
  readonly onEvent: (event: number) => void;
}

export function Graph({ model, current, onEvent }: GraphProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const graph = useMemo(() => graphOf(model), [model]);
  const active = nodeAt(graph.nodes, model, current);
  const window = graph.nodes.length > mostNodes ? (active?.id ?? 0) : 0;
  const layout = useMemo(() => (width === 0 ? null : layOutGraph(graph, window, width < 640)), [graph, window, width]);
  const runs = graph.nodes
    .filter((node) => node.order !== null)
    .sort((a, b) => (a.order as number) - (b.order as number));
  const done = runs.filter((node) => (node.ran as number) <= current).length;

  useEffect(() => {
    box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);

  if (graph.nodes.length === 0) return <p className="gtv-empty">No autograd node was made or run in this recording.</p>;
  const orderOnly = graph.edges.length > 0 && graph.edges.every((edge) => edge.kind === "order");
  return (
    <div className="gtv-graph">
      <div className="gtv-graph-bar">
        {runs.length > 0 ? (
          <>
            <button
              type="button"
              onClick={() => onEvent((runs[Math.max(done - 2, 0)] as GraphNode).ran as number)}
              disabled={done < 2}
            >
              ‹ node before
            </button>
            <button
              type="button"
              onClick={() => onEvent((runs[Math.min(done, runs.length - 1)] as GraphNode).ran as number)}
              disabled={done === runs.length}
            >
              next node ›
            </button>
            <span>
              the engine has run {done} of {runs.length}
            </span>
          </>
        ) : (
          <span>{graph.nodes.length} nodes; backward was not recorded</span>
        )}
        {orderOnly && <span>The profiler does not write edges: dotted lines only tell what came next.</span>}
        {graph.nodes.length > mostNodes && (
          <span>
            {mostNodes} of {graph.nodes.length} nodes, those nearest to the current one
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div ref={box} className="gtv-graph-box gtv-scroll" tabIndex={0} role="group" aria-label="Autograd graph">
        {layout !== null && <Drawing layout={layout} active={active} current={current} onEvent={onEvent} />}
      </div>
    </div>
  );
}

/** The node whose creation or run contains the current event. */
function nodeAt(nodes: readonly GraphNode[], model: TraceModel, current: number): GraphNode | null {
  for (let at = current; at !== -1; at = model.parent[at] as number) {
    const found = nodes.find((node) => node.ran === at || node.made === at);
    if (found !== undefined) return found;
  }
  return null;
}

interface DrawingProps extends Omit<GraphProps, "model"> {
  readonly layout: GraphLayout;
  readonly active: GraphNode | null;
}

function Drawing({ layout, active, current, onEvent }: DrawingProps): ReactNode {
  return (
    <div className="gtv-graph-sheet" style={{ width: layout.width, height: layout.height }}>
      <svg width={layout.width} height={layout.height} aria-hidden="true">
        <defs>
          <marker id="gtv-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 1 L7 4 L0 7" fill="none" stroke="context-stroke" strokeWidth="1.4" />
          </marker>
        </defs>
        {layout.edges.map(({ edge, path, label }) => {
          const passed = layout.nodes.some(
            ({ node }) => node.id === edge.from && node.ran !== null && node.ran <= current,
          );
          return (
            <g
              key={`${edge.from}-${edge.to}-${path}`}
              className={`gtv-edge gtv-edge-${edge.kind}${passed && edge.kind !== "order" ? " gtv-passed" : ""}`}
            >
              <path d={path} markerEnd="url(#gtv-arrow)" />
              {edge.gradient !== null && (
                <text x={label.x} y={label.y - 5} textAnchor="middle">
                  {edge.gradient}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      {layout.nodes.map(({ node, x, y }) => {
        const ran = node.ran !== null && node.ran <= current;
        const event = node.ran ?? node.made;
        return (
          <button
            key={node.id}
            type="button"
            className={`gtv-node${ran ? " gtv-ran" : ""}${node.leaf ? " gtv-leaf" : ""}`}
            style={{ left: x, top: y, width: nodeWidth, height: nodeHeight }}
            aria-current={node === active ? "step" : undefined}
            disabled={event === null}
            onClick={() => event !== null && onEvent(event)}
          >
            <b>{node.name}</b>
            <span>{caption(node)}</span>
            {node.order !== null && <i title="place in the engine’s order">{node.order}</i>}
          </button>
        );
      })}
    </div>
  );
}

function caption(node: GraphNode): string {
  const parts: string[] = [];
  if (node.sequence !== null) parts.push(`sequence ${node.sequence}`);
  if (node.tensor !== null) parts.push(node.leaf ? `leaf ${describe(node.tensor)}` : describe(node.tensor));
  if (parts.length === 0)
    parts.push(node.leaf ? "adds to .grad" : node.made === null ? "made before the recording" : "");
  return parts.join(" · ");
}
