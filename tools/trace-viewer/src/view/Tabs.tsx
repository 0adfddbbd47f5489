/**
 * @file The views as tabs: arrow keys move between them, as the pattern for `tablist` requires.
 * @original
 */
import type { KeyboardEvent, ReactNode } from "react";

interface TabsProps<T extends string> {
  readonly id: string;
  readonly names: readonly T[];
  readonly titles: Readonly<Record<T, string>>;
  readonly active: T;
  readonly onSelect: (name: T) => void;
}

export function Tabs<T extends string>({ id, names, titles, active, onSelect }: TabsProps<T>): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = names.indexOf(active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const name = names[(to + names.length) % names.length] as T;
    onSelect(name);
    event.currentTarget.querySelector<HTMLElement>(`[data-name=${name}]`)?.focus();
  };
  return (
    <div role="tablist" aria-label="View" className="gtv-tabs" onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-tab-${name}`}
          data-name={name}
          aria-selected={name === active}
          aria-controls={`${id}-panel`}
          tabIndex={name === active ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {titles[name]}
        </button>
      ))}
    </div>
  );
}
