/**
 * @file `<PageFilter of="words" />`: on a page of many entries, each under a heading of the third level, shows those whose heading has what was
 * typed. Nothing is taken out of the page: its search and its links see all of it.
 * @original
 */
import { type ReactNode, useRef, useState } from "react";
import styles from "./reference.module.css";

export function PageFilter({ of, placeholder }: { readonly of: string; readonly placeholder: string }): ReactNode {
  const box = useRef<HTMLLabelElement>(null);
  const [found, setFound] = useState<{ readonly shown: number; readonly all: number } | null>(null);
  const filter = (typed: string): void => {
    const page = box.current?.closest(".markdown");
    if (page == null) return;
    setFound(typed.trim() === "" ? show(page, null) : show(page, typed.trim().toLowerCase()));
  };
  return (
    <label ref={box} className={`${styles.filter} no-search`}>
      <span>Filter</span>
      <input
        type="search"
        placeholder={placeholder}
        onChange={(event) => filter(event.target.value)}
        spellCheck={false}
        autoComplete="off"
      />
      <output aria-live="polite">{found === null ? "" : `${found.shown} of ${found.all} ${of}`}</output>
    </label>
  );
}

/** Shows the entries with the word in their heading, and of the headings above them those that have any; null shows all. */
function show(page: Element, word: string | null): { shown: number; all: number } | null {
  const count = { shown: 0, all: 0 };
  let entry = true;
  let section: HTMLElement | null = null;
  let any = false;
  const close = (): void => {
    if (section !== null) section.hidden = word !== null && !any;
    any = false;
  };
  for (const element of page.children as Iterable<HTMLElement>) {
    if (/^H[12]$/.test(element.tagName)) {
      if (element.tagName === "H2") {
        close();
        section = element;
      }
      entry = word === null;
      continue;
    }
    if (element.tagName === "H3") {
      entry = word === null || (element.textContent ?? "").toLowerCase().includes(word);
      count.all++;
      if (entry) count.shown++;
      any ||= entry;
    } else if (element.tagName === "NAV") {
      for (const link of element.querySelectorAll<HTMLElement>("a"))
        link.hidden = word !== null && !(link.textContent ?? "").toLowerCase().includes(word);
      continue;
    } else if (count.all === 0) continue; // what stands above the first entry
    element.hidden = !entry;
  }
  close();
  return word === null ? null : count;
}
