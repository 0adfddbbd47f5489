/**
 * @file The viewer with opened recordings; loaded when there is one.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import { openText, type PlaceFinder, type TraceModel, TraceViewer } from "@glasstorch/trace-viewer";
import "@glasstorch/trace-viewer/style.css";
import operators from "@site/generated/operators.json";
import { type ReactNode, useCallback, useMemo } from "react";
import { isPlainPath } from "../../../../tools/trace-viewer/src/model/eventsOf";
import { textOf } from "../../../../tools/trace-viewer/src/model/open";
import type { OperatorList } from "../../../site/operator_pages";
import { addressOf, linkedPlace } from "../trace/links";

export interface Opened {
  readonly title: string;
  readonly trace: TraceModel;
}

/** Errors name the file. */
export async function read(file: Blob, title: string): Promise<Opened> {
  try {
    const found = openText(await textOf(file));
    if (found.kind === "tables") throw new Error("This file holds dispatch tables and no trace.");
    if (found.model.events.length === 0) throw new Error("This trace has no events.");
    return { title, trace: found.model };
  } catch (error) {
    throw new Error(`${title}: ${(error as Error).message}`);
  }
}

/** Operator -> its page: `reshape`, and each overload's whole name. */
const pages = new Map(
  (operators as unknown as OperatorList).pages.flatMap((page) =>
    [page.base, ...page.overloads].map((name) => [name, page] as const),
  ),
);

interface OpenedProps {
  readonly opened: readonly Opened[];
  /** Name of the example in an address; files of the reader have none. */
  readonly example: string | null;
}

export default function OpenedTraces({ opened, example }: OpenedProps): ReactNode {
  const [first, second] = opened;
  const sources = useBaseUrl("/generated/source/");
  const operatorPages = useBaseUrl("/operators/");
  const loadSource = useCallback(
    async (path: string): Promise<string> => {
      const answer = isPlainPath(path) ? await fetch(`${sources}${path}.txt`) : null;
      if (answer?.ok !== true) throw new Error(`${path} is no file of glasstorch`);
      return answer.text();
    },
    [sources],
  );
  const placeOf = useCallback<PlaceFinder>(
    ({ op }) => {
      const page = op === undefined ? undefined : pages.get(op.replace(/^aten::/, ""));
      if (page?.place == null) return null;
      const { file, line } = page.place;
      return { file, line, page: { title: `the page of ${page.base}`, address: `${operatorPages}${page.base}/` } };
    },
    [operatorPages],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another recording is another place
  const place = useMemo(() => {
    const linked = linkedPlace();
    const fits = example !== null && linked.trace === example;
    return {
      trace: null,
      step: fits ? linked.step : null,
      view: (fits ? linked.view : null) ?? (second === undefined ? "elevator" : "compare"),
      hidden: [],
    } as const;
  }, [first, second, example]);
  if (first === undefined) return null;
  return (
    <>
      {second !== undefined && hasBackward(first.trace) !== hasBackward(second.trace) && (
        <p className="viewer-hint" role="status">
          {hasBackward(first.trace) ? second.title : first.title} holds only a forward call; the other file also has
          backward. Record forward and backward in both files, and their rows will match.
        </p>
      )}
      <TraceViewer
        key={`${first.trace.serial} ${second?.trace.serial}`}
        trace={first.trace}
        title={first.title}
        place={place}
        loadSource={loadSource}
        placeOf={placeOf}
        linkTo={
          example === null
            ? null
            : ({ step, view }) => addressOf({ name: example, step: step ?? 0, view: view ?? "elevator" })
        }
        keyboard="page"
        {...(second === undefined ? {} : { other: second })}
      />
    </>
  );
}

const hasBackward = (trace: TraceModel): boolean => trace.events.some((event) => event.kind === "engine");
