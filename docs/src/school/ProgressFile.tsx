/**
 * @file Progress as a file: taken along, brought back. It is the file that a clone has as `workspace/progress.json`.
 * @original
 */
import { type ChangeEvent, type ReactNode, useId, useState } from "react";
import { exported, imported } from "./kept";

export function ProgressFile(): ReactNode {
  const [said, setSaid] = useState("");
  const id = useId();
  const save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([exported()], { type: "application/json" }));
    link.download = "progress.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const open = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    target.value = "";
    if (file === undefined) return;
    try {
      const { passed, exercises } = imported(await file.text());
      setSaid(
        `${passed} passed. The files of ${exercises} exercises are in their editors; none of them has run. Your earlier files are kept as a backup.`,
      );
    } catch (error) {
      setSaid(`${file.name} is not a progress file: ${(error as Error).message}`);
    }
  };
  return (
    <div className="school-file">
      <button type="button" className="trace-button" onClick={save}>
        Save progress.json
      </button>
      <label className="trace-button" htmlFor={id}>
        Open one…
      </label>
      <input id={id} type="file" accept=".json,application/json" onChange={(event) => void open(event)} />
      <span role="status">{said}</span>
    </div>
  );
}
