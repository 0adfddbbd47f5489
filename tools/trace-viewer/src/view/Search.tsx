/**
 * @file Search for a step by a part of its name, operator or kernel; Enter goes to the next match.
 * @original
 */
import { type ReactNode, useState } from "react";

export function Search({ onSearch }: { readonly onSearch: (text: string) => boolean }): ReactNode {
  const [text, setText] = useState("");
  const [missed, setMissed] = useState(false);
  return (
    <form
      role="search"
      className="gtv-search"
      onSubmit={(event) => {
        event.preventDefault();
        setMissed(text !== "" && !onSearch(text));
      }}
    >
      <input
        type="search"
        placeholder="Find a step ( / )"
        aria-label="Find a step by name"
        aria-invalid={missed}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setMissed(false);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <span role="status">{missed ? "no such step" : ""}</span>
    </form>
  );
}
