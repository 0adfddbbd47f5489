/**
 * @file Two recordings side by side, aligned, with the first difference marked.
 * @original
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { compare, type Pair } from "../model/compare.ts";
import { label } from "../model/label.ts";
import type { TraceModel } from "../model/TraceModel.ts";
import { laneClass } from "./Layers.tsx";

interface CompareProps {
  readonly trace: TraceModel;
  readonly other: { readonly title: ReactNode; readonly trace: TraceModel } | undefined;
  readonly current: number;
  readonly onEvent: (event: number) => void;
  readonly onOpenOther: (() => void) | undefined;
}

export function Compare(props: CompareProps): ReactNode {
  if (props.other !== undefined) return <Aligned {...props} other={props.other} />;
  return (
    <div className="gtv-empty">
      <p>
        Put a second recording beside this one: the same call under no_grad, on another device, or as PyTorch’s profiler
        saw it.
      </p>
      <button type="button" className="gtv-button" onClick={props.onOpenOther}>
        Open a second trace
      </button>
    </div>
  );
}

function Aligned({
  trace,
  other,
  current,
  onEvent,
  onOpenOther,
}: CompareProps & { readonly other: NonNullable<CompareProps["other"]> }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const result = useMemo(() => compare(trace, other.trace), [trace, other.trace]);
  const { pairs, first } = result;
  const different = pairs.filter((pair) => pair.differences.length > 0).length;
  const virtual = useVirtualizer({
    count: pairs.length,
    getScrollElement: () => scroller.current,
    estimateSize: (k) => (k === first ? 58 : 30),
    overscan: 10,
  });

  useEffect(() => {
    if (first !== -1) virtual.scrollToIndex(first, { align: "center" });
  }, [first, virtual]);

  return (
    <div className="gtv-compare">
      <div className="gtv-graph-bar">
        <span>
          {first === -1
            ? `The two take the same way: ${pairs.length} steps agree.`
            : `They part at step ${first + 1} of ${pairs.length}; ${different} ${different === 1 ? "step differs" : "steps differ"} in all.`}
          {result.onlyOperators && " Compared: operator calls and autograd nodes, which is what the profiler sees."}
        </span>
        {first !== -1 && (
          <button type="button" onClick={() => virtual.scrollToIndex(first, { align: "center" })}>
            first difference
          </button>
        )}
        {onOpenOther !== undefined && (
          <button type="button" onClick={onOpenOther}>
            another trace
          </button>
        )}
      </div>
      <div className="gtv-pair gtv-pair-head">
        <b>this recording</b>
        <b>{other.title}</b>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div ref={scroller} className="gtv-pairs gtv-scroll" tabIndex={0} role="group" aria-label="Aligned steps">
        <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const pair = pairs[index] as Pair;
            return (
              <div
                key={index}
                className={`gtv-pair${pair.differences.length > 0 ? " gtv-differs" : ""}${index === first ? " gtv-first" : ""}`}
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                {index === first && <p>first difference · {pair.differences.join(" · ")}</p>}
                <Side
                  model={trace}
                  index={pair.a}
                  current={pair.a === current}
                  onEvent={onEvent}
                  why={pair.differences.join("\n")}
                />
                <Side model={other.trace} index={pair.b} current={false} why={pair.differences.join("\n")} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface SideProps {
  readonly model: TraceModel;
  readonly index: number | null;
  readonly current: boolean;
  readonly why: string;
  readonly onEvent?: (event: number) => void;
}

function Side({ model, index, current, why, onEvent }: SideProps): ReactNode {
  if (index === null) return <span className="gtv-side gtv-absent">not here</span>;
  const content = (
    <>
      <i className="gtv-mark" aria-hidden="true" />
      {label(model.event(index))}
    </>
  );
  const shared = {
    className: `gtv-side ${laneClass(model.laneAt(index))}`,
    title: why,
    style: { paddingLeft: 12 + Math.min(model.depth[index] as number, 24) * 9 },
  };
  return onEvent === undefined ? (
    <span {...shared}>{content}</span>
  ) : (
    <button type="button" {...shared} aria-current={current ? "step" : undefined} onClick={() => onEvent(index)}>
      {content}
    </button>
  );
}
