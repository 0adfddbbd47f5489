/**
 * @file The viewer: one event list, one current step, and the views that show it. Everything visible is a projection of
 * these two.
 * @original
 */
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Lane } from "../../../../src/trace/event.ts";
import type { DispatchTables } from "../model/dispatchTable.ts";
import { runsOf } from "../model/interpreter.ts";
import { duration, label } from "../model/label.ts";
import { chainsOf } from "../model/passes.ts";
import { formatPlace, type Place, type View, views } from "../model/permalink.ts";
import { find, type Move, move, project, stepOf } from "../model/projection.ts";
import type { TraceModel } from "../model/TraceModel.ts";
import { Captures } from "./Captures.tsx";
import { Compare } from "./Compare.tsx";
import { Elevator } from "./Elevator.tsx";
import { Graph } from "./Graph.tsx";
import { Inspector } from "./Inspector.tsx";
import { Interpreter } from "./Interpreter.tsx";
import { moveForKey } from "./keys.ts";
import { Layers } from "./Layers.tsx";
import { Passes } from "./Passes.tsx";
import { PlayBar } from "./PlayBar.tsx";
import { Search } from "./Search.tsx";
import { type PlaceFinder, type SourceLoader, SourcePane } from "./SourcePane.tsx";
import { Tabs } from "./Tabs.tsx";
import { Timeline } from "./Timeline.tsx";
import { Tree } from "./Tree.tsx";

export interface TraceViewerProps {
  readonly trace: TraceModel;
  /** A title for the recording: "The path of nn.PReLU()(x)". */
  readonly title?: ReactNode;
  /** A second recording, for the comparison. */
  readonly other?: { readonly title: ReactNode; readonly trace: TraceModel };
  /** Rows of the dispatch table, from the side file. */
  readonly tables?: DispatchTables;
  /** Finds the function here by its name, if the recording names no source for a step. */
  readonly placeOf?: PlaceFinder | undefined;
  /** Returns the text of a source file in this repository (`src/aten/native/Activation/index.ts`). */
  readonly loadSource?: SourceLoader;
  /** The initial place. A new object moves the viewer there. */
  readonly place?: Place;
  readonly onPlace?: (place: Place) => void;
  /**
   * The address that leads to a place; by default the page's own, with the place as its hash. Null: no address leads
   * here, and there is no button.
   */
  readonly linkTo?: ((place: Place) => string | Promise<string>) | null;
  /** `page`: keys work wherever the focus is; `focus`: only inside the viewer, for a page with text around it. */
  readonly keyboard?: "page" | "focus";
  /** By default the page's `data-theme`, else the system's. */
  readonly theme?: "light" | "dark";
  /** Further buttons for the header. */
  readonly actions?: ReactNode;
  /** Requests a second recording from the page; without it there is no button for comparison. */
  readonly onOpenOther?: () => void;
}

const viewTitles: Readonly<Record<View, string>> = {
  elevator: "Elevator",
  tree: "Tree",
  timeline: "Timeline",
  graph: "Graph",
  captures: "Captures",
  passes: "Passes",
  interpreter: "Interpreter",
  compare: "Compare",
};

/** Another recording gets a new viewer, because the old step, folds and zoom would mean nothing in it. */
export function TraceViewer(props: TraceViewerProps): ReactNode {
  return <Viewer key={props.trace.serial} {...props} />;
}

function Viewer(props: TraceViewerProps): ReactNode {
  const { trace, place, onPlace, keyboard = "focus" } = props;
  const id = useId();
  const root = useRef<HTMLElement>(null);
  const [current, setCurrent] = useState(() => eventAt(trace, place));
  const [view, setView] = useState<View>(place?.view ?? "elevator");
  const [hidden, setHidden] = useState<ReadonlySet<Lane>>(() => new Set(place?.hidden));
  const [playing, setPlaying] = useState(false);

  const projection = useMemo(() => project(trace, hidden), [trace, hidden]);
  const step = projection.steps.length === 0 ? -1 : stepOf(projection, current);
  const shown = step === -1 ? current : (projection.steps[step] as number);

  useEffect(() => {
    if (place === undefined) return;
    setCurrent(eventAt(trace, place));
    setView(place.view ?? "elevator");
    setHidden(new Set(place.hidden));
  }, [trace, place]);

  const here = useMemo<Place>(
    () => ({ trace: place?.trace ?? null, step: trace.events[shown]?.id ?? null, view, hidden: [...hidden] }),
    [place?.trace, trace, shown, view, hidden],
  );
  useEffect(() => onPlace?.(here), [here, onPlace]);

  const go = useCallback(
    (how: Move) => setCurrent((at) => projection.steps[move(projection, stepOf(projection, at), how)] ?? at),
    [projection],
  );
  const goToStep = useCallback((to: number) => setCurrent((at) => projection.steps[to] ?? at), [projection]);

  useEffect(() => {
    if (!playing) return;
    if (step >= projection.steps.length - 1) return setPlaying(false);
    const timer = setTimeout(() => goToStep(step + 1), 650);
    return () => clearTimeout(timer);
  }, [playing, step, projection, goToStep]);

  const onKey = useCallback(
    (event: KeyboardEvent | ReactKeyboardEvent) => {
      const wanted = moveForKey(event);
      if (wanted === null) return;
      event.preventDefault();
      if (wanted === "play") setPlaying((on) => !on);
      else if (wanted === "search") root.current?.querySelector<HTMLInputElement>("input[type=search]")?.focus();
      else go(wanted);
    },
    [go],
  );
  useEffect(() => {
    if (keyboard !== "page") return;
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [keyboard, onKey]);

  const search = useCallback(
    (text: string) => {
      const found = find(projection, step, text);
      if (found !== -1) goToStep(found);
      return found !== -1;
    },
    [projection, step, goToStep],
  );

  const graphs = trace.origin === "pytorch" || trace.events.some((e) => e.kind === "autograd" || e.kind === "engine");
  const has_passes = useMemo(() => chainsOf(trace).length > 0, [trace]);
  const has_runs = useMemo(() => runsOf(trace).length > 0, [trace]);
  const offered = views
    .filter((name) => name !== "graph" || graphs)
    .filter((name) => name !== "captures" || trace.graphs.length > 0)
    .filter((name) => name !== "passes" || has_passes)
    .filter((name) => name !== "interpreter" || has_runs)
    .filter((name) => name !== "compare" || props.other !== undefined || props.onOpenOther !== undefined);
  const active = offered.includes(view) ? view : "elevator";
  const stage = { projection, step, onStep: goToStep };

  return (
    <section
      ref={root}
      className="gtv"
      data-theme={props.theme}
      aria-labelledby={`${id}-title`}
      onKeyDown={keyboard === "focus" ? onKey : undefined}
    >
      <header className="gtv-head">
        <h2 id={`${id}-title`}>{props.title ?? <code>{label(trace.event(0))}</code>}</h2>
        <p className="gtv-what">
          step {(step + 1).toLocaleString("en")} of {projection.steps.length.toLocaleString("en")} ·{" "}
          {duration(trace.duration())}
          {trace.origin === "pytorch"
            ? ` · recorded by PyTorch’s profiler${trace.folded === 0 ? "" : `, without its own ${trace.folded} frames`}`
            : trace.torch === null
              ? ""
              : ` · as PyTorch ${trace.torch.replace(/\.0$/, "")} takes it`}
        </p>
        <div className="gtv-actions">
          <Search onSearch={search} />
          {props.linkTo !== null && <CopyLink address={() => (props.linkTo ?? pageAddress)(here)} />}
          {props.actions}
        </div>
      </header>
      {trace.dropped > 0 && (
        <p className="gtv-dropped" role="status">
          The recording reached its cap of {trace.events.length.toLocaleString("en")} events:{" "}
          <b>{trace.dropped.toLocaleString("en")} later ones were dropped</b>. What you see is its beginning.
        </p>
      )}
      <div className="gtv-card gtv-stage">
        <div className="gtv-bar">
          <Tabs id={id} names={offered} titles={viewTitles} active={active} onSelect={setView} />
          <Layers model={trace} hidden={hidden} onChange={setHidden} />
        </div>
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${active}`} className="gtv-panel">
          {step === -1 ? (
            <p className="gtv-empty">Every layer is hidden. Show one to see its steps.</p>
          ) : active === "elevator" ? (
            <Elevator {...stage} />
          ) : active === "tree" ? (
            <Tree {...stage} />
          ) : active === "timeline" ? (
            <Timeline {...stage} />
          ) : active === "graph" ? (
            <Graph model={trace} current={shown} onEvent={setCurrent} />
          ) : active === "captures" ? (
            <Captures model={trace} current={shown} onEvent={setCurrent} />
          ) : active === "passes" ? (
            <Passes model={trace} current={shown} onEvent={setCurrent} />
          ) : active === "interpreter" ? (
            <Interpreter model={trace} current={shown} onEvent={setCurrent} />
          ) : (
            <Compare
              trace={trace}
              other={props.other}
              current={shown}
              onEvent={setCurrent}
              onOpenOther={props.onOpenOther}
            />
          )}
        </div>
        {step !== -1 && (
          <PlayBar
            step={step}
            count={projection.steps.length}
            playing={playing}
            onMove={go}
            onStep={goToStep}
            onPlay={setPlaying}
          />
        )}
      </div>
      <p className="gtv-aloud" aria-live="polite">
        {step === -1
          ? ""
          : `Step ${step + 1} of ${projection.steps.length}, ${trace.laneAt(shown)}: ${label(trace.event(shown))}`}
      </p>
      <div className="gtv-cols">
        <SourcePane
          event={trace.event(shown)}
          lane={trace.laneAt(shown)}
          loadSource={props.loadSource}
          sources={trace.sources}
          placeOf={props.placeOf}
        />
        <Inspector model={trace} index={shown} tables={props.tables} onEvent={setCurrent} />
      </div>
    </section>
  );
}

/** The event of a permalink's step id; else the first, or, in PyTorch's recordings, which begin far above, the first operator. */
function eventAt(trace: TraceModel, place: Place | undefined): number {
  const step = place?.step ?? null;
  return step === null
    ? trace.origin === "pytorch"
      ? Math.max(
          trace.events.findIndex((event) => event.op?.startsWith("aten::")),
          0,
        )
      : 0
    : Math.max(
        trace.events.findIndex((event) => event.id === step),
        0,
      );
}

const pageAddress = (place: Place): string => location.href.replace(/#.*$/, "") + formatPlace(place);

function CopyLink({ address }: { readonly address: () => string | Promise<string> }): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    const to = await address();
    // Also in the address bar, from which it can be copied if a page may not write to the clipboard.
    history.replaceState(history.state, "", to);
    await navigator.clipboard?.writeText(to).catch(() => {});
    setCopied(true);
  };
  return (
    <button type="button" className="gtv-button" onClick={copy} aria-live="polite">
      {copied ? "Copied" : "Link to this step"}
    </button>
  );
}
