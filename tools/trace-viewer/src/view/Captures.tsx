/**
 * @file The captured graphs: program, graph and code side by side. A line that is chosen marks the lines of the same nodes in the other columns and leads
 * to the event that recorded it. A graph that was cut also shows what crosses the cut.
 * @original
 */
import { type ReactNode, useId, useMemo, useState } from "react";
import { type Capture, capturesOf, type Line, type Partition } from "../model/captures.ts";
import type { TraceModel } from "../model/TraceModel.ts";

interface CapturesProps {
  readonly model: TraceModel;
  /** Current event. */
  readonly current: number;
  readonly onEvent: (event: number) => void;
}

export function Captures({ model, current, onEvent }: CapturesProps): ReactNode {
  const id = useId();
  const captures = useMemo(() => capturesOf(model), [model]);
  const event = model.event(current);
  const [chosen, setChosen] = useState<number | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const shown = chosen ?? event.graph ?? Object.values(event.graphs ?? {})[0] ?? firstOf(captures);
  const capture = captures[shown] as Capture;
  const here = event.graph === shown && event.graph_node !== undefined ? new Set([event.graph_node]) : null;
  const nodes = marked.size > 0 ? marked : (here ?? marked);
  const pick = (line: Line): void => {
    setChosen(shown);
    setMarked(new Set(line.nodes));
    const at = capture.recorded.get(line.nodes[0] ?? "");
    if (at !== undefined) onEvent(at);
  };
  const show = (graph: number): void => {
    setChosen(graph);
    setMarked(new Set());
  };
  const columns = [
    ...capture.program.map(({ file, lines }) => ({ title: file, lines })),
    ...(capture.tree.length === 0 ? [] : [{ title: "tree", lines: capture.tree }]),
    { title: "graph", lines: capture.text },
    ...(capture.code.length === 0 ? [] : [{ title: "code", lines: capture.code }]),
  ];
  return (
    <div className="gtv-captures">
      <div className="gtv-graph-bar">
        <label htmlFor={`${id}-graph`}>graph</label>
        <select id={`${id}-graph`} value={shown} onChange={(change) => show(Number(change.target.value))}>
          {captures.map(({ graph, title }, i) => (
            <option key={graph.id} value={i}>
              {i + 1}. {title}, {graph.nodes.length} nodes
            </option>
          ))}
        </select>
        <span>Choose a line: the lines of the same node are marked.</span>
      </div>
      {capture.partition !== null && (
        <Cut partition={capture.partition} captures={captures} shown={shown} onShow={show} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="gtv-captures-columns gtv-scroll" tabIndex={0} role="group" aria-label="Program and graph">
        {columns.map(({ title, lines }) => (
          <figure key={title}>
            <figcaption>{title}</figcaption>
            <Lines lines={lines} marked={nodes} onPick={pick} />
          </figure>
        ))}
      </div>
    </div>
  );
}

/** The first graph that was completed by a capture, which is the one to begin with. */
const firstOf = (captures: readonly Capture[]): number =>
  Math.max(
    captures.findIndex(({ tree, code }) => tree.length > 0 || code.length > 0),
    0,
  );

interface LinesProps {
  readonly lines: readonly Line[];
  readonly marked: ReadonlySet<string>;
  readonly onPick: (line: Line) => void;
}

function Lines({ lines, marked, onPick }: LinesProps): ReactNode {
  return (
    <ol className="gtv-captures-lines">
      {lines.map((line) => {
        const is_marked = line.nodes.some((node) => marked.has(node));
        return (
          <li key={line.number} className={is_marked ? "gtv-marked" : undefined}>
            <span className="gtv-number">{line.number}</span>
            {line.nodes.length === 0 ? (
              <code>{line.text}</code>
            ) : (
              <button type="button" aria-pressed={is_marked} onClick={() => onPick(line)}>
                <code>{line.text}</code>
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface CutProps {
  readonly partition: Partition;
  readonly captures: readonly Capture[];
  readonly shown: number;
  readonly onShow: (graph: number) => void;
}

/** The joint graph, its two parts, and the values that forward saves. */
function Cut({ partition, captures, shown, onShow }: CutProps): ReactNode {
  const { joint, forward, backward, saved } = partition;
  const part = (title: string, graph: number): ReactNode => (
    <button type="button" aria-pressed={graph === shown} onClick={() => onShow(graph)}>
      {title}: {captures[graph]?.graph.nodes.length} nodes
    </button>
  );
  const bytes = saved.reduce((sum, value) => sum + value.nbytes, 0);
  return (
    <div className="gtv-cut">
      <p>
        {part("joint", joint)} = {part("forward", forward)} <span aria-hidden="true">✂</span>{" "}
        {part("backward", backward)}
      </p>
      <table>
        <caption>saved for backward: {bytes.toLocaleString("en")} bytes</caption>
        <tbody>
          {saved.map(({ name, dtype, shape, nbytes }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {dtype} [{shape.join(", ")}]
              </td>
              <td>{nbytes.toLocaleString("en")} bytes</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
