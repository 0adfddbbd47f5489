/**
 * @file The solution, shown once the exercise has passed, or to a teacher; it is fetched on request.
 * @original
 */
import { type ReactNode, useState } from "react";
import type { ExerciseData, Texts } from "./data.ts";
import { useKept, useStatus } from "./useKept.ts";

export function Solution({ data, address }: { readonly data: ExerciseData; readonly address: string }): ReactNode {
  const { teaches } = useKept();
  const status = useStatus({ id: data.exercise.id, hash: data.hash });
  const [files, setFiles] = useState<Texts | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (status === "open" && !teaches) return null;
  const edited = new Set(data.exercise.edits.map(({ file }) => file));
  const open = (): void => {
    fetch(address)
      .then((answer) => answer.json() as Promise<Texts>)
      .then(setFiles, (error: Error) => setProblem(error.message));
  };
  return (
    <details
      className="school-solution"
      onToggle={({ currentTarget }) => currentTarget.open && files === null && open()}
    >
      <summary>The solution</summary>
      {problem !== null && <p className="school-problem">{problem}</p>}
      {files
        ?.filter(([file]) => edited.has(file))
        .map(([file, text]) => (
          <figure key={file}>
            <figcaption>{file}</figcaption>
            <pre>{text}</pre>
          </figure>
        ))}
    </details>
  );
}
