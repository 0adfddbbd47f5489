/**
 * @file The two tabs, Python and TypeScript, as a list of tabs that the arrow keys go through.
 * @original
 */
import type { ReactNode } from "react";
import type { Language } from "./language";
import "./two_ways.css";

const NAMES: Readonly<Record<Language, string>> = { python: "Python", typescript: "TypeScript" };

interface LanguageTabsProps {
  /** Begins the ids of tabs and panels: `${id}-python`, `${id}-panel`. */
  readonly id: string;
  readonly order: readonly Language[];
  readonly language: Language;
  readonly choose: (language: Language) => void;
  /** The id of a language's panel. */
  readonly panel: (language: Language) => string;
}

export function LanguageTabs({ id, order, language, choose, panel }: LanguageTabsProps): ReactNode {
  return (
    <div role="tablist" aria-label="Language" className="two-ways-tabs">
      {order.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          aria-selected={language === name}
          aria-controls={panel(name)}
          tabIndex={language === name ? 0 : -1}
          onClick={() => choose(name)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
            event.preventDefault();
            event.stopPropagation();
            const other = name === "python" ? "typescript" : "python";
            choose(other);
            document.getElementById(`${id}-${other}`)?.focus();
          }}
        >
          {NAMES[name]}
        </button>
      ))}
    </div>
  );
}
