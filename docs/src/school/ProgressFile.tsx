/**
 * @file Progress as a file: taken along, brought back. It is the file that a clone has as `workspace/progress.json`.
 * @original
 */
import catalog from "@site/generated/exercises.json";
import { type ChangeEvent, type ReactNode, useId, useState } from "react";
import type { Catalog } from "./data";
import { exported, type Imported, imported } from "./kept";
import { useKept } from "./useKept";

const here = new Set((catalog as Catalog).exercises.map(({ id }) => id));

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
      setSaid(wordsOf(imported(await file.text(), here)));
    } catch (error) {
      setSaid(`${file.name} was not taken over, and nothing has changed: ${(error as Error).message}.`);
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
      <NotKept />
    </div>
  );
}

/** A warning, if the browser's store is full. */
export function NotKept(): ReactNode {
  if (!useKept().unsaved) return null;
  return (
    <span role="alert">
      This browser keeps no more text for this site: what you have changed is lost when you close the page. Save
      progress.json first.
    </span>
  );
}

function wordsOf({ passed, exercises, leftOut }: Imported): string {
  const of = exercises === 1 ? "one exercise" : `${exercises} exercises`;
  const rest =
    leftOut === 0
      ? ""
      : ` ${leftOut === 1 ? "One entry was" : `${leftOut} entries were`} left out, because the exercise is not on this site or the text is too long.`;
  return `${passed} passed. The files of ${of} are in their editors; none of them has run. Your earlier files are kept as a backup.${rest}`;
}
