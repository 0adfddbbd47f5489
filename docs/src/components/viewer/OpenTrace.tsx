/**
 * @file Opens recordings: an example at one click, or files, one or two to compare. They are read in the page and sent nowhere.
 * @original
 */
import useBaseUrl from "@docusaurus/useBaseUrl";
import { type DragEvent, lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Boundary } from "../../playground/Boundary";
import { linkedPlace } from "../trace/links";
import type { Opened } from "./OpenedTraces";
import "./viewer.css";

const OpenedTraces = lazy(() => import("./OpenedTraces"));

/** An example: its name in an address, its files. */
const examples: readonly { readonly name: string; readonly title: string; readonly files: readonly string[] }[] = [
  { name: "pytorch", title: "nn.PReLU, recorded by PyTorch’s profiler", files: ["pytorch"] },
  { name: "ours", title: "the same call, recorded here", files: ["ours"] },
  { name: "both", title: "both, compared", files: ["ours", "pytorch"] },
];

const titles: Readonly<Record<string, string>> = {
  pytorch: "nn.PReLU in PyTorch 2.13",
  ours: "nn.PReLU in glasstorch",
};

export function OpenTrace(): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<readonly Opened[]>([]);
  const [example, setExample] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const traces = useBaseUrl("/generated/traces/viewer/");

  const show = useCallback(async (name: string | null, take: (read: Read) => Promise<readonly Opened[]>) => {
    setProblem(null);
    try {
      const { read } = await import("./OpenedTraces");
      setOpened(await take(read));
      setExample(name);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }, []);
  const open = (files: readonly File[]): Promise<void> | undefined =>
    files.length === 0
      ? undefined
      : show(null, (read) => Promise.all(files.slice(0, 2).map((file) => read(file, file.name))));
  const openExample = useCallback(
    (name: string) => {
      const found = examples.find((each) => each.name === name);
      if (found === undefined) return setProblem(`There is no example “${name}”.`);
      return show(name, (read) =>
        Promise.all(
          found.files.map(async (file) => {
            const answer = await fetch(`${traces}${file}.json`);
            if (!answer.ok) throw new Error(`${file}: ${answer.status} ${answer.statusText}`);
            return read(await answer.blob(), titles[file] ?? file);
          }),
        ),
      );
    },
    [show, traces],
  );

  // An address may name an example, and a step of it.
  useEffect(() => {
    const follow = (): void => {
      const { trace } = linkedPlace();
      if (trace !== null) void openExample(trace);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [openExample]);

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void open([...event.dataTransfer.files]);
  };

  return (
    // Files may be dropped anywhere; the button does the same by keyboard.
    <main
      className={over ? "viewer viewer-over" : "viewer"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h1>Open a trace</h1>
      <p>
        Open your own trace: a file that <code>prof.export_chrome_trace("trace.json")</code> wrote after{" "}
        <code>torch.profiler.profile()</code> in PyTorch. Each operator in it links to its sources and its page here. Or
        open a trace of glasstorch: <code>npx tsx walkthroughs/prelu.ts --format json --out prelu.json</code>. If you
        open two files, they are compared. Nothing leaves your browser.
      </p>
      <p className="viewer-ways">
        <button type="button" className="viewer-open" onClick={() => picker.current?.click()}>
          Choose files
        </button>
        <span>or drop them here. Examples:</span>
        {examples.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            className="trace-button"
            aria-pressed={example === name}
            onClick={() => {
              history.replaceState(history.state, "", `${location.pathname}#trace=${name}`);
              void openExample(name);
            }}
          >
            {title}
          </button>
        ))}
      </p>
      <input
        ref={picker}
        type="file"
        accept=".json,.gz,application/json"
        multiple
        hidden
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          event.target.value = "";
          void open(chosen);
        }}
      />
      {problem !== null && (
        <p role="alert" className="viewer-problem">
          {problem}
        </p>
      )}
      {opened.length > 0 && (
        <Suspense fallback={<p>Loading the viewer…</p>}>
          <Boundary key={opened[0]?.trace.serial} what="This trace">
            <OpenedTraces opened={opened} example={example} />
          </Boundary>
        </Suspense>
      )}
    </main>
  );
}

type Read = (file: Blob, title: string) => Promise<Opened>;
