/**
 * @file A number that changes with the theme (the system's preference or a `data-theme` further up), for content that
 * must be drawn again.
 * @original
 */
import { useEffect, useState } from "react";

export function useTheme(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const changed = (): void => setVersion((v) => v + 1);
    const system = matchMedia("(prefers-color-scheme: dark)");
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
    system.addEventListener("change", changed);
    return () => {
      observer.disconnect();
      system.removeEventListener("change", changed);
    };
  }, []);
  return version;
}
