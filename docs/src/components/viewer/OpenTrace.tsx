/**
 * @file Opens files with recordings: one, or two to compare. They are read in the page and sent nowhere.
 * @original
 */
import { type DragEvent, lazy, type ReactNode, Suspense, useRef, useState } from "react";
import type { Opened } from "./OpenedTraces";
import "./viewer.css";

const OpenedTraces = lazy(() => import("./OpenedTraces"));

export function OpenTrace(): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<readonly Opened[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);

  const open = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return;
    setProblem(null);
    try {
      const { read } = await import("./OpenedTraces");
      setOpened(await Promise.all(files.slice(0, 2).map(read)));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
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
        A file that <code>prof.export_chrome_trace("trace.json")</code> wrote after{" "}
        <code>torch.profiler.profile()</code> in PyTorch, or one of glasstorch:{" "}
        <code>npx tsx walkthroughs/prelu.ts --format json --out prelu.json</code>. Two files are compared. Nothing
        leaves your browser.
      </p>
      <p>
        <button type="button" className="viewer-open" onClick={() => picker.current?.click()}>
          Choose files
        </button>{" "}
        or drop them here.
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
          <OpenedTraces opened={opened} />
        </Suspense>
      )}
    </main>
  );
}
