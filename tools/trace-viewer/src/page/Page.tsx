/**
 * @file The standalone page: opens traces, also by dropping, a second one to compare, and the side file with tables;
 * the address stores the step.
 * @original
 */
import { type DragEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { DispatchTables } from "../model/dispatchTable.ts";
import { openText, textOf } from "../model/open.ts";
import { formatPlace, type Place, parsePlace } from "../model/permalink.ts";
import type { TraceModel } from "../model/TraceModel.ts";
import { TraceViewer } from "../view/TraceViewer.tsx";
import { samples, sampleTables } from "./samples.ts";
import { loadSource } from "./sources.ts";
import { ThemeSwitch } from "./ThemeSwitch.tsx";
import { Welcome } from "./Welcome.tsx";

interface Opened {
  readonly title: string;
  readonly trace: TraceModel;
}

export function Page(): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  const asOther = useRef(false);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [other, setOther] = useState<Opened | null>(null);
  const [tables, setTables] = useState<DispatchTables | null>(null);
  const [place, setPlace] = useState<Place>(() => parsePlace(location.hash));
  const [problem, setProblem] = useState<string | null>(null);
  /** A trace on another host that the address names: requesting it reveals the reader to that host, so the reader decides. */
  const [foreign, setForeign] = useState<Place | null>(null);
  const [over, setOver] = useState(false);

  const take = useCallback((text: string, title: string, at: Place, second: boolean) => {
    const file = openText(text);
    setProblem(null);
    setForeign(null);
    if (file.kind === "tables") return setTables(file.tables);
    if (file.model.events.length === 0) throw new Error("This trace has no events.");
    if (second) return setOther({ title, trace: file.model });
    setPlace(at);
    setOther(null);
    setOpened({ title, trace: file.model });
  }, []);

  const openAddress = useCallback(
    async (address: string, at: Place) => {
      try {
        const sample = samples.find((known) => known.path === address);
        take(await fetchText(address), sample?.title ?? address, at, false);
        if (sample !== undefined) take(await fetchText(sampleTables), sample.title, at, false);
      } catch (error) {
        setProblem(`${address}: ${(error as Error).message}`);
      }
    },
    [take],
  );

  const openFiles = async (files: Iterable<File>, second: boolean): Promise<void> => {
    let next = second;
    for (const file of files) {
      try {
        take(
          await textOf(file),
          file.name,
          { trace: null, step: null, view: next ? "compare" : null, hidden: [] },
          next,
        );
        if (next) setPlace((now) => ({ ...parsePlace(location.hash), trace: now.trace, view: "compare" }));
        next = true;
      } catch (error) {
        setProblem(`${file.name}: ${(error as Error).message}`);
      }
    }
  };

  // The address names a trace, initially and whenever the reader follows a link or goes back.
  useEffect(() => {
    const follow = (): void => {
      const at = parsePlace(location.hash);
      if (at.trace === null) setPlace((now) => ({ ...at, trace: now.trace }));
      else if (hostOf(at.trace) !== location.host) setForeign(at);
      else void openAddress(at.trace, at);
    };
    if (parsePlace(location.hash).trace !== null) follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [openAddress]);

  const remember = useCallback(
    (at: Place) => history.replaceState(null, "", formatPlace(at) || location.pathname + location.search),
    [],
  );
  const pick = (second: boolean): void => {
    asOther.current = second;
    picker.current?.click();
  };

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void openFiles(event.dataTransfer.files, opened !== null && event.shiftKey);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button does the same by keyboard
    <div
      className={over ? "page page-over" : "page"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <header className="page-head">
        <h1>
          <a href="./">
            glasstorch <span>trace viewer</span>
          </a>
        </h1>
        <button type="button" className="gtv-button" onClick={() => pick(false)}>
          Open a trace
        </button>
        <ThemeSwitch />
        <input
          ref={picker}
          type="file"
          accept=".json,.gz,application/json"
          multiple
          hidden
          data-testid="file"
          onChange={(event) => {
            const chosen = [...(event.target.files ?? [])];
            event.target.value = "";
            void openFiles(chosen, asOther.current);
          }}
        />
      </header>
      {problem !== null && (
        <p role="alert" className="page-problem">
          {problem}
        </p>
      )}
      {foreign?.trace != null && (
        <p role="status" className="page-foreign">
          The address names a trace{" "}
          {hostOf(foreign.trace) === "" ? (
            "of its own making"
          ) : (
            <>
              on <b>{hostOf(foreign.trace)}</b>
            </>
          )}
          .{" "}
          <button
            type="button"
            className="gtv-button"
            onClick={() => void openAddress(foreign.trace as string, foreign)}
          >
            Load it from there
          </button>
        </p>
      )}
      <main>
        {opened === null ? (
          <Welcome />
        ) : (
          <TraceViewer
            trace={opened.trace}
            title={
              <>
                The path of <code>{opened.title}</code>
              </>
            }
            {...(other === null ? {} : { other })}
            {...(tables === null ? {} : { tables })}
            loadSource={loadSource}
            place={place}
            onPlace={remember}
            keyboard="page"
            onOpenOther={() => pick(true)}
          />
        )}
      </main>
    </div>
  );
}

/** Empty for an address without a host (`data:`, `blob:`), which also counts as foreign. */
function hostOf(address: string): string {
  try {
    return new URL(address, location.href).host;
  } catch {
    return "";
  }
}

async function fetchText(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return textOf(await answer.blob());
}
