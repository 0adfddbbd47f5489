/**
 * @file The playground once the reader has asked for it: editor, output, recordings.
 * @original
 */
import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { name_of } from "../../../tools/codegen/module_path.ts";
import { Boundary } from "./Boundary.tsx";
import { Console } from "./Console.tsx";
import { Diff } from "./Diff.tsx";
import { Divider } from "./Divider.tsx";
import type { Mark } from "./Editor.tsx";
import { type Capability, fileNameOf } from "./engine/protocol.ts";
import { type Change, fromHash, MAX_LENGTH, programIn, type Shared, toHash } from "./engine/share.ts";
import { FilePicker } from "./FilePicker.tsx";
import { keep, keptAt, NOT_KEPT } from "./kept.ts";
import type { Addresses } from "./loading.ts";
import { type Origin, Session, type State } from "./session.ts";
import { switches as ofWalkthroughs, type Switch } from "./switches.ts";
import { type Way, waysOf } from "./ways.ts";

const Editor = lazy(async () => ({ default: (await import("./Editor.tsx")).Editor }));
/** The editor with Python's colours. */
const PythonEditor = lazy(async () => {
  const [{ Editor }, { pythonLanguage }] = await Promise.all([import("./Editor.tsx"), import("./python_language.ts")]);
  return {
    default: (props: ComponentProps<typeof Editor>): ReactNode => <Editor {...props} python={pythonLanguage} />,
  };
});
/** Milliseconds after the last change. */
const KEEP_AFTER = 400;

const NO_WAYS: readonly Way[] = [];

const Recordings = lazy(() => import("./Recordings.tsx"));
const StepsView = lazy(() => import("./StepsView.tsx"));

export interface LiveProps {
  readonly path: string;
  readonly code: string;
  /** The walkthrough whose switches these are. */
  readonly switches: string | null;
  readonly whatIf: readonly Switch[] | null;
  readonly edits: readonly Change[];
  readonly addresses: Addresses;
  readonly recordings: string | null;
  /** Tells the playgrounds of a page apart. */
  readonly place: string;
  /** Whether the address's program, if there is one, is for this playground. */
  readonly addressed: boolean;
  /** Run at once. */
  readonly run: boolean;
  /** Take the focus from the button that is gone. */
  readonly focus: boolean;
  readonly wide: boolean;
  /** The coloured program. */
  readonly children: ReactNode;
}

export default function Live(props: LiveProps): ReactNode {
  const [session] = useState(
    () =>
      new Session({
        path: props.path,
        code: props.code,
        switches: props.whatIf ?? ofWalkthroughs[props.switches ?? ""] ?? [],
        addresses: props.addresses,
        recordings: props.recordings,
      }),
  );
  const state = useSyncExternalStore(session.subscribe, session.read, session.read);
  const [tabs, setTabs] = useState<readonly string[]>([props.path]);
  const [file, setFile] = useState(props.path);
  const [goTo, setGoTo] = useState<{ line: number; focus?: boolean } | null>(null);
  const [cursor, setCursor] = useState(1);
  const [stepLine, setStepLine] = useState<number | null>(null);
  const [wayTo, setWayTo] = useState<{ step: number } | null>(null);
  const [paths, setPaths] = useState<readonly string[] | null>(null);
  const [diffing, setDiffing] = useState(false);
  const [shared, setShared] = useState<string | null>(null);
  /** The editor is heavy: who only runs the program need not wait for it. */
  const [editing, setEditing] = useState(!props.run);
  const [left, setLeft] = useState(42);
  const [unkept, setUnkept] = useState(false);
  const place = useMemo(() => {
    const brought = props.addressed ? programIn(location.hash) : null;
    return `${location.pathname} ${props.place}${brought === null ? "" : ` ${brought.text}`}`;
  }, [props.place, props.addressed]);
  /** The state with which the reader began, as text; null until it is there. */
  const begun = useRef<string | null>(null);
  const latestWrite = useRef(() => {});
  const id = useId();
  const root = useRef<HTMLDivElement>(null);

  const open = useCallback(
    async (wanted: string, line?: number) => {
      // A recording names a Python program as the program names itself.
      const path = session.language === "python" && wanted === fileNameOf(session.path) ? session.path : wanted;
      setPaths(null);
      if (path !== session.path)
        try {
          await session.openFile(path);
        } catch (error) {
          setShared((error as Error).message);
          return;
        }
      setTabs((were) => (were.includes(path) ? were : [...were, path]));
      setFile(path);
      setDiffing(false);
      setEditing(true);
      if (line !== undefined) setTimeout(() => setGoTo({ line }));
    },
    [session],
  );
  const pick = async (): Promise<void> => {
    setShared("Loading the list of files…");
    try {
      setPaths(await session.paths());
      setShared(null);
    } catch (error) {
      setShared((error as Error).message);
    }
  };

  const python = session.language === "python";
  const run = useCallback(
    (seconds?: number, stepsFrom: number | null = null) => {
      setShared(null); // what was said of an address is no longer what one wants to know
      void session.run(seconds, stepsFrom);
    },
    [session],
  );

  // A Python program that fails is shown at its line; stepping ends with the steps.
  useEffect(() => {
    if (state.steps === null) setStepLine(null);
    const failed = python ? state.lines.find((line) => line.type === "failure") : undefined;
    const place = failed?.failure.stack.find((each) => each.file === session.path);
    if (state.phase === "idle" && place !== undefined && state.steps === null)
      setGoTo({ line: place.line, focus: false });
  }, [state.phase, state.lines, state.steps, python, session]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the reader has asked for it
  useEffect(() => {
    if (props.focus) root.current?.querySelector<HTMLElement>(props.run ? ".pg-run" : ".cm-content")?.focus();
    const begin = async (): Promise<void> => {
      await session.begin(async () => {
        const own = props.run ? null : keptAt(place);
        const state = own ?? (props.addressed ? await fromHash(location.hash) : null);
        if (state !== null) await session.open(state, own === null ? "address" : "kept");
        if (own === null && props.edits.length > 0) await session.change(props.edits);
      });
      begun.current = JSON.stringify(session.share());
      for (const path of session.texts.edited()) void open(path);
      if (props.run) run();
      else await session.warm();
    };
    begin().catch((error: Error) => setShared(error.message));
    return () => session.dispose();
  }, []);

  // What the reader writes is kept in this browser: soon after the last key, and when the page goes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one of these changes
  useEffect(() => {
    const write = (): void => {
      if (begun.current === null) return;
      const now: Shared = session.share();
      const text = JSON.stringify(now);
      if (text === begun.current) return;
      begun.current = text;
      setUnkept(!keep(place, session.changed ? now : {}));
    };
    const timer = setTimeout(write, KEEP_AFTER);
    addEventListener("pagehide", write);
    latestWrite.current = write;
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", write);
    };
  }, [state.code, state.edits]);
  useEffect(() => () => latestWrite.current(), []);

  const library = session.texts;
  const text = file === props.path ? state.code : (library.text(file) ?? "");
  const edited = library.edited();
  const pristine = file === props.path ? session.original : library.pristine.get(file);
  const differs = text !== pristine;
  const generated = file.includes("/generated/");
  const regenerated = library.regenerated().filter((path) => !path.endsWith(".json"));
  const marks = useMemo(() => marksOf(state, file, props.path), [state, file, props.path]);
  const passed = useMemo(() => filesOf(state), [state]);
  const model = state.recordings[0]?.model;
  /** None as soon as the program is edited: its lines are others then. */
  const ways = useMemo(
    () =>
      python && model !== undefined && state.code === state.ranText ? waysOf(model, fileNameOf(session.path)) : NO_WAYS,
    [python, model, state.code, state.ranText, session],
  );
  const showWay = useCallback((way: Way) => {
    setWayTo({ step: way.event });
    root.current?.querySelector(".pg-recordings")?.scrollIntoView({ block: "nearest" });
  }, []);

  const change = (now: string): void => {
    setShared(null);
    if (file === props.path) session.setCode(now);
    else session.edit(file, now);
  };
  const share = async (): Promise<void> => {
    const hash = await toHash(session.share(), props.wide && !python ? null : props.place);
    if (hash.length > MAX_LENGTH) {
      setShared(
        `The address would have ${hash.length} characters, but mail and chat programs cut addresses after about ${MAX_LENGTH}. Undo changes that the link does not need.`,
      );
      return;
    }
    window.history.replaceState(null, "", hash);
    const copied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    setShared(
      copied === true
        ? "The address is copied. It contains the program and your changes."
        : "The address of this page now contains the program and your changes.",
    );
  };
  const reset = (): void => {
    setShared(null);
    setDiffing(false);
    session.reset();
  };
  const busy = state.phase !== "idle";
  const TextEditor = python ? PythonEditor : Editor;

  return (
    <div
      ref={root}
      className={props.wide ? "pg-live pg-live-wide" : "pg-live"}
      style={{ "--pg-left": `${left}%` } as object}
    >
      <div className="pg-work">
        <header className="pg-bar">
          {state.phase === "running" ? (
            <button type="button" className="pg-run pg-stop" onClick={() => session.stop()}>
              Stop
            </button>
          ) : (
            <button type="button" className="pg-run" onClick={() => run()} aria-keyshortcuts="Control+Enter">
              Run
            </button>
          )}
          {python && (
            <button type="button" className="pg-button pg-step" onClick={() => run(undefined, 0)}>
              Step
            </button>
          )}
          <label className="pg-check">
            <input
              type="checkbox"
              checked={state.options.detail === "full"}
              onChange={(event) => session.setOptions({ detail: event.target.checked ? "full" : "layers" })}
            />
            every function
          </label>
          <label className="pg-check">
            <input
              type="checkbox"
              checked={state.options.values}
              onChange={(event) => session.setOptions({ values: event.target.checked })}
            />
            values
          </label>
          <label className="pg-check">
            kernels
            <select
              value={state.options.capability ?? ""}
              onChange={(event) => session.setOptions({ capability: capabilityOf(event.target.value) })}
            >
              <option value="">best for this browser</option>
              <option value="simd128">SIMD128</option>
              <option value="default">JavaScript</option>
            </select>
          </label>
          <span className="pg-spring" />
          <button type="button" className="pg-button" onClick={share}>
            Share
          </button>
          <button type="button" className="pg-button" disabled={!session.changed} onClick={reset}>
            Reset all
          </button>
        </header>

        {session.switches.length > 0 && (
          <div className="pg-switches" role="group" aria-labelledby={`${id}-what`}>
            <b id={`${id}-what`}>What if</b>
            {session.switches.map((each) => (
              <SwitchButtons key={each.label} of={each} session={session} state={state} onRun={run} />
            ))}
          </div>
        )}

        <div className="pg-files">
          <div className="pg-tabs" role="group" aria-label="Files">
            {tabs.map((path) => (
              <button key={path} type="button" aria-pressed={path === file} title={path} onClick={() => setFile(path)}>
                {name_of(path)}
                {(path === props.path ? state.code !== session.original : edited.includes(path)) && (
                  <span className="pg-dot" title="edited" />
                )}
              </button>
            ))}
            <button type="button" onClick={() => void pick()}>
              Open a file of the library…
            </button>
          </div>
          <div className="pg-of-file">
            <span className="pg-path">{file}</span>
            <span className="pg-spring" />
            <button
              type="button"
              className="pg-button"
              aria-pressed={diffing && differs}
              disabled={!differs}
              onClick={() => setDiffing(!diffing)}
            >
              Diff
            </button>
            <button
              type="button"
              className="pg-button"
              disabled={!differs}
              onClick={() => {
                setDiffing(false);
                if (file === props.path) session.setCode(session.original);
                else session.edit(file, null);
              }}
            >
              Reset
            </button>
            {file !== props.path && (
              <button
                type="button"
                className="pg-button"
                onClick={() => {
                  setTabs(tabs.filter((path) => path !== file));
                  setFile(props.path);
                }}
              >
                Close
              </button>
            )}
          </div>
        </div>
        {generated && (
          <p className="pg-note">
            A program generates this file. You can change it here and see what happens, but the next run of codegen
            overwrites it: for a lasting change, edit its source.
          </p>
        )}
        {diffing && differs ? (
          <Diff file={file} before={pristine ?? ""} after={text} />
        ) : !editing && file === props.path && !differs && marks.length === 0 ? (
          <div className="pg-static pg-to-edit">
            {props.children}
            <button type="button" className="pg-button" onClick={() => setEditing(true)}>
              Edit
            </button>
          </div>
        ) : (
          <Suspense fallback={<p className="pg-soft">Loading the editor…</p>}>
            <TextEditor
              file={file}
              text={text}
              marks={marks}
              goTo={goTo}
              stepLine={file === props.path ? stepLine : null}
              onCursor={setCursor}
              ways={file === props.path ? ways : NO_WAYS}
              onWay={showWay}
              onChange={change}
              onRun={run}
            />
          </Suspense>
        )}
      </div>

      {props.wide && <Divider at={left} onMove={setLeft} />}
      <div className="pg-result">
        <p className="pg-status" role="status">
          {shared ?? statusOf(state, session)}
          {state.ending?.kind === "silent" && (
            <button type="button" className="pg-button" onClick={() => run(60)}>
              Run again and wait a minute
            </button>
          )}
        </p>
        {unkept && (
          <p className="pg-note" role="alert">
            {NOT_KEPT}
          </p>
        )}
        {state.defect !== null && (
          <div className="pg-line pg-error" role="alert">
            <pre>
              {state.defect.field === undefined ? "" : `${state.defect.field}: `}
              {state.defect.message}
              {state.defect.wayOut === undefined ? "" : `\nWay out: ${state.defect.wayOut}`}
              {(state.defect.others ?? []).map((other) => `\n\n${other}`).join("")}
            </pre>
            <button
              type="button"
              className="pg-link pg-at"
              onClick={() => open(state.defect?.file ?? props.path, state.defect?.line)}
            >
              {state.defect.file}:{state.defect.line}
            </button>
          </div>
        )}
        {regenerated.length > 0 && (
          <p className="pg-note">
            From your edit, codegen made{" "}
            {regenerated.slice(0, 6).map((path, i) => (
              <span key={path}>
                {i > 0 && ", "}
                <button type="button" className="pg-link" onClick={() => open(path)}>
                  {path}
                </button>
              </span>
            ))}
            {regenerated.length > 6 && ` and ${regenerated.length - 6} more`} anew.
          </p>
        )}
        {state.steps !== null && (
          <Suspense fallback={<p className="pg-soft">Loading the steps…</p>}>
            <Boundary what="The steps">
              <StepsView
                steps={state.steps}
                text={state.ranText}
                cursor={cursor}
                onLine={setStepLine}
                onFrom={(line) => run(undefined, line)}
              />
            </Boundary>
          </Suspense>
        )}
        {state.lines.length > 0 && <Console lines={state.lines} program={props.path} onPlace={open} />}
        {state.remarks.map((remark) => (
          <p key={remark} className="pg-soft">
            {remark}
          </p>
        ))}
        {state.recordings[0] !== undefined && (
          <Suspense fallback={<p className="pg-soft">Loading the viewer…</p>}>
            <div className={busy ? "pg-old" : undefined}>
              <Boundary key={state.recordings[0].model.serial} what="The recording">
                <Recordings
                  recordings={state.recordings}
                  changed={state.changed}
                  edited={state.edited}
                  failed={state.lines.some((line) => line.type === "failure")}
                  values={state.valued}
                  goTo={wayTo}
                  loadSource={(path) => session.source(path)}
                  onEdit={open}
                  linkTo={async (name, { step, view }) => {
                    const hash = await toHash(session.share(), props.wide && !python ? null : props.place);
                    const at = `trace=${encodeURIComponent(name)}&step=${step ?? 0}&view=${view ?? "elevator"}`;
                    return `${location.href.replace(/#.*$/, "")}${hash}&${at}`;
                  }}
                />
              </Boundary>
            </div>
          </Suspense>
        )}
      </div>

      {paths !== null && (
        <FilePicker
          paths={paths}
          passed={passed}
          edited={edited}
          names={props.addresses.names}
          road={props.addresses.road}
          onPick={open}
          onClose={() => setPaths(null)}
        />
      )}
    </div>
  );
}

function capabilityOf(value: string): Capability | undefined {
  return value === "simd128" || value === "default" ? value : undefined;
}

function SwitchButtons({
  of,
  session,
  state,
  onRun,
}: {
  readonly of: Switch;
  readonly session: Session;
  readonly state: State;
  readonly onRun: () => void;
}): ReactNode {
  const usable = session.has(of);
  const chosen = state.choices[of.label] ?? 0;
  return (
    <fieldset
      disabled={!usable}
      title={usable ? undefined : "The program no longer has the text that this switch changes."}
    >
      <legend>{of.label}</legend>
      {of.choices.map((each, i) => (
        <button
          key={each.label}
          type="button"
          aria-pressed={i === chosen}
          title={each.code}
          onClick={() => {
            session.choose(of, i);
            onRun();
          }}
        >
          {each.label}
        </button>
      ))}
    </fieldset>
  );
}

const readyWords: Readonly<Record<Origin, string>> = {
  page: "Ready. Ctrl+Enter runs.",
  address: "Ready. This program came with the address; it runs only when you press Run.",
  kept: "Ready. Your text of last time is back; “Reset all” brings the page’s own.",
};

function statusOf(state: State, session: Session): string {
  const { phase, ending, seconds, lines, defect } = state;
  if (phase === "loading") return "Loading the library…";
  if (phase === "preparing") return session.changed ? "Applying your changes…" : "Preparing…";
  if (phase === "running") return "Running…";
  if (defect !== null) return "This program cannot run yet.";
  if (ending === null) {
    if (!session.ready) return "Loading the library…";
    return readyWords[state.from];
  }
  if (ending.kind === "stopped") return "Stopped.";
  if (ending.kind === "missing") return "Stopped: a part of the library is missing. Reload the page.";
  if (ending.kind === "flooded") return "Stopped: the program printed or recorded more than one run may.";
  if (ending.kind === "silent")
    return `Stopped: the program did not answer for ${ending.seconds} seconds. ${ending.line === 0 ? "It waits for a promise that nobody settles, or its work takes longer than that." : `An endless loop, or one that takes longer? The last known place is line ${ending.line}.`}`;
  const broken = lines.filter((line) => line.type === "claim").length;
  const failed = lines.some((line) => line.type === "failure");
  const claims =
    ending.claims + broken === 0
      ? ""
      : broken === 0
        ? ` ${ending.claims} claims hold.`
        : ` ${ending.claims} claims hold, ${broken} no longer hold.`;
  return `${failed ? "Ended by an error" : "Ran"} after ${seconds.toFixed(2)} s.${claims}`;
}

function marksOf(state: State, file: string, program: string): Mark[] {
  const marks: Mark[] = [];
  if (state.defect !== null && state.defect.file === file)
    marks.push({
      line: state.defect.line,
      column: state.defect.column,
      severity: "error",
      message: state.defect.message,
    });
  if (file === program && state.ending?.kind === "silent" && state.ending.line > 0)
    marks.push({ line: state.ending.line, column: 0, severity: "error", message: "The run was stopped here." });
  for (const line of state.lines) {
    if (line.type === "claim" && file === program)
      marks.push({
        line: line.line,
        column: 0,
        severity: "warning",
        message: `Expected ${line.expected}, is ${line.actual}`,
      });
    if (line.type !== "failure") continue;
    const place = line.failure.stack.find((p) => p.file === file);
    if (place !== undefined)
      marks.push({
        line: place.line,
        column: place.column,
        severity: "error",
        message: `${line.failure.name}: ${line.failure.message}`,
      });
  }
  return marks;
}

/** Files the recordings pass through, in order. */
function filesOf(state: State): string[] {
  const files = new Set<string>();
  for (const { model } of state.recordings)
    for (const { source } of model.events)
      if (source !== undefined && !source.file.includes("/generated/")) files.add(source.file);
  return [...files];
}
