/**
 * @file Choosing a file of the library: by typing part of its name, or of a function's or an operator's in it, or from those the last run
 * passed through.
 * @original
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { ROAD_TITLE, type RoadLines } from "../components/source/road.ts";
import { NamedPlaces } from "./named_places.ts";

interface FilePickerProps {
  readonly paths: readonly string[];
  /** Files of the last recording, in order of first sight. */
  readonly passed: readonly string[];
  readonly edited: readonly string[];
  /** Address of the index of functions and operators. */
  readonly names: string;
  /** Address of the lines that one PReLU step runs. */
  readonly road: string;
  readonly onPick: (path: string, line?: number) => void;
  readonly onClose: () => void;
}

const SHOWN = 60;
const NAMES_SHOWN = 24;

export function FilePicker({ paths, passed, edited, names, road, onPick, onClose }: FilePickerProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [words, setWords] = useState("");
  const [places, setPlaces] = useState<NamedPlaces | null>(null);
  const [onRoad, setOnRoad] = useState<RoadLines>({});
  const id = useId();

  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, []);

  useEffect(() => {
    let current = true;
    // Without the index, files are found all the same.
    NamedPlaces.load(names).then(
      (loaded) => current && setPlaces(loaded),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [names]);

  useEffect(() => {
    let current = true;
    fetch(road)
      .then((answer) => answer.json() as Promise<RoadLines>)
      // Without the marks, files are found all the same.
      .then(
        (lines) => current && setOnRoad(lines),
        () => {},
      );
    return () => {
      current = false;
    };
  }, [road]);

  const { found, more } = useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (path: string): boolean => wanted.every((word) => path.toLowerCase().includes(word));
    const first = [...new Set([...edited, ...passed])].filter(fits);
    const rest = paths.filter((path) => fits(path) && !first.includes(path));
    const all = [...first, ...rest];
    return { found: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
  }, [words, paths, passed, edited]);

  const named = useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const all = wanted.length === 0 ? [] : (places?.find(wanted, NAMES_SHOWN) ?? []);
    return all.filter(({ file }) => paths.includes(file));
  }, [words, places, paths]);

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
        aria-label="Part of the name of a file, a function or an operator"
        placeholder="prelu, dispatcher, native yaml…"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          if (found[0] !== undefined) onPick(found[0]);
          else if (named[0] !== undefined) onPick(named[0].file, named[0].line);
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
              {path in onRoad && (
                <em className="pg-road" title={ROAD_TITLE}>
                  road
                </em>
              )}
            </button>
          </li>
        ))}
        {named.map(({ name, file, line, what }) => (
          <li key={`${what} ${name} ${file} ${line}`}>
            <button type="button" onClick={() => onPick(file, line)}>
              {name} <em>{what}</em>
              <span className="pg-folder">
                {file}:{line}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="pg-soft">There are {more} more; type part of a name.</p>}
      {found.length + named.length === 0 && (
        <p className="pg-soft">No file, function or operator has this text in its name.</p>
      )}
    </dialog>
  );
}
