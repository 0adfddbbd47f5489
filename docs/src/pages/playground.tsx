/**
 * @file The playground alone: a program of one's own in TypeScript or in Python, the library's files, and the recording, with all the width there is.
 * @original
 */
import { LanguageTabs } from "@site/src/components/LanguageTabs";
import { choose, chosen, type Language } from "@site/src/components/language";
import Playground from "@site/src/playground";
import { programIn } from "@site/src/playground/engine/share";
import { program, whatIf } from "@site/src/playground/first_program";
import Layout from "@theme/Layout";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";

const PythonPlayground = lazy(() => import("@site/src/playground/PythonPlayground"));

/** The language of the program that the address holds, null if it holds none. */
function addressed(): Language | null {
  const brought = programIn(location.hash);
  if (brought === null) return null;
  return brought.playground?.endsWith(".py") === true ? "python" : "typescript";
}

export default function PlaygroundPage(): ReactNode {
  const [language, setLanguage] = useState<Language>("typescript");
  /** Tabs that have been open: their programs stay. */
  const [opened, setOpened] = useState<readonly Language[]>(["typescript"]);
  const show = (wanted: Language): void => {
    setLanguage(wanted);
    setOpened((were) => (were.includes(wanted) ? were : [...were, wanted]));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and when the address changes
  useEffect(() => {
    const first = addressed() ?? chosen() ?? "typescript";
    setLanguage(first);
    setOpened([first]); // what the page showed before it came alive was not asked for
    const follow = (): void => {
      const wanted = addressed();
      if (wanted !== null) show(wanted);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const panel = (of: Language): string => `playground-panel-${of}`;
  return (
    <Layout
      title="Playground"
      description="Run a program on glasstorch in this page, in TypeScript or in Python, watch every call it makes, and change the library's own files."
    >
      <main className="pg-page">
        <h1>Playground</h1>
        <p>
          The program runs in this page, on the library’s own TypeScript sources. Open one of them, change it, and run
          again: the code generator runs again, too. Nothing leaves your browser. If your browser has WebGPU,{" "}
          <code>import "glasstorch/webgpu"</code> turns that device on, and you can change its kernels as well.
        </p>
        <p>
          A Python program runs on a small Python that is part of the library. You can step through it by line and by
          instruction, forth and back. Its files are in memory, and it has no network.
        </p>
        <div className="pg-languages">
          <LanguageTabs
            id="playground"
            order={["typescript", "python"]}
            language={language}
            choose={(wanted) => {
              choose(wanted);
              show(wanted);
            }}
            panel={panel}
          />
        </div>
        <div
          role="tabpanel"
          id={panel("typescript")}
          aria-labelledby="playground-typescript"
          hidden={language !== "typescript"}
        >
          {opened.includes("typescript") && <Playground open code={program} whatIf={whatIf} />}
        </div>
        <div role="tabpanel" id={panel("python")} aria-labelledby="playground-python" hidden={language !== "python"}>
          {opened.includes("python") && (
            <Suspense fallback={<p>Loading…</p>}>
              <PythonPlayground />
            </Suspense>
          )}
        </div>
      </main>
    </Layout>
  );
}
