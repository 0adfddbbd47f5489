/**
 * @file The switch for teachers: solutions are shown on every exercise's page.
 * @original
 */
import type { ReactNode } from "react";
import { setTeaches } from "./kept";
import { useKept } from "./useKept";

export function Teaches(): ReactNode {
  const { teaches } = useKept();
  return (
    <p>
      <label>
        <input type="checkbox" checked={teaches} onChange={({ target }) => setTeaches(target.checked)} /> Show the
        solution on each exercise’s page, in this browser
      </label>
    </p>
  );
}
