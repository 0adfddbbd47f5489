/**
 * @file Entry point of the standalone page.
 * @original
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../style/index.css";
import "../style/page.css";
import { Page } from "./Page.tsx";

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
