/**
 * @file The button below a program in Python: it opens the program in the playground's Python tab. There it runs when the reader says so.
 * @original
 */
import { useHistory } from "@docusaurus/router";
import useBaseUrl from "@docusaurus/useBaseUrl";
import { type ReactNode, useState } from "react";

export function RunPython({ program }: { readonly program: () => string }): ReactNode {
  const history = useHistory();
  const address = useBaseUrl("/playground/");
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (): Promise<void> => {
    try {
      const { toHash } = await import("../playground/engine/share");
      history.push(`${address}${await toHash({ code: program() }, "playground/program.py")}`);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <p className="code-run">
      <button type="button" onClick={open}>
        Run it
      </button>
      {problem !== null && <span role="alert">{problem}</span>}
    </p>
  );
}
