/**
 * @file The choice of theme: light, dark, or the system's; it is stored.
 * @original
 */
import { type ReactNode, useEffect, useState } from "react";

const themes = ["system", "light", "dark"] as const;

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(() => themes.find((name) => name === localStorage.getItem("theme")) ?? "system");
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  return (
    <label className="page-theme">
      <span className="gtv-hide">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as (typeof themes)[number])}>
        {themes.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
