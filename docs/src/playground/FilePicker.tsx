/**
 * @file Choosing a file of the library: by typing part of its name, or from those the last run passed through.
 * @original
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";

interface FilePickerProps {
  readonly paths: readonly string[];
  /** Files of the last recording, in order of first sight. */
  readonly passed: readonly string[];
  readonly edited: readonly string[];
  readonly onPick: (path: string) => void;
  readonly onClose: () => void;
}

const SHOWN = 60;

export function FilePicker({ paths, passed, edited, onPick, onClose }: FilePickerProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [words, setWords] = useState("");
  const id = useId();

  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, []);

  const { found, more } = useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (path: string): boolean => wanted.every((word) => path.toLowerCase().includes(word));
    const first = [...new Set([...edited, ...passed])].filter(fits);
    const rest = paths.filter((path) => fits(path) && !first.includes(path));
    const all = [...first, ...rest];
    return { found: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
  }, [words, paths, passed, edited]);

  const move = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const items = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const next = event.key === "ArrowDown" ? at + 1 : at - 1;
    event.preventDefault();
    if (next < 0) dialog.current?.querySelector("input")?.focus();
    else items[Math.min(next, items.length - 1)]?.focus();
  };

  return (
    // Arrows move among its own buttons.
    <dialog ref={dialog} className="pg-picker" aria-labelledby={`${id}-title`} onClose={onClose} onKeyDown={move}>
      <header>
        <h3 id={`${id}-title`}>Open a file of the library</h3>
        <button type="button" className="pg-button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <input
        type="search"
        aria-label="Part of its name"
        placeholder="prelu, dispatcher, native yaml…"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && found[0] !== undefined) onPick(found[0]);
        }}
      />
      <ul ref={list}>
        {found.map((path) => (
          <li key={path}>
            <button type="button" onClick={() => onPick(path)}>
              <span className="pg-folder">{path.slice(0, path.lastIndexOf("/") + 1)}</span>
              {path.slice(path.lastIndexOf("/") + 1)}
              {edited.includes(path) ? (
                <em>edited</em>
              ) : passed.includes(path) ? (
                <em>in the recording</em>
              ) : path.includes("/generated/") ? (
                <em>generated</em>
              ) : null}
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="pg-soft">{more} more; type part of a name.</p>}
      {found.length === 0 && <p className="pg-soft">No file has that in its name.</p>}
    </dialog>
  );
}
