/**
 * @file Links of the reference: to a line of ours in the source viewer, to PyTorch's file at the mirrored version.
 * @original
 */
import Link from "@docusaurus/Link";
import type { ReactNode } from "react";
import styles from "./reference.module.css";

/** The source viewer makes its lines when it is opened, so the build's link check cannot know them; a test checks these links. */
export function At({ file, line, children }: { file: string; line?: number | undefined; children?: ReactNode }) {
  return (
    <Link className={styles.at ?? ""} to={`/source/?file=${file}${line ? `#L${line}` : ""}`} data-noBrokenLinkCheck>
      {children ?? shorten(file, line)}
    </Link>
  );
}

/** PyTorch's file; `path` as its repository has it. */
export function Theirs({ path, children }: { path: string; children?: ReactNode }) {
  return (
    <a className={styles.theirs} href={`https://github.com/pytorch/pytorch/blob/v2.13.0/${path}`}>
      {children ?? path.replace("#L", ":")}
    </a>
  );
}

/** `native/Activation/index.ts:108`: the folders that say least are left out. */
export function shorten(file: string, line?: number | undefined): string {
  const short = file.replace(/^src\//, "").replace("torch/csrc-equivalent/", "csrc-equivalent/");
  return line ? `${short}:${line}` : short;
}
