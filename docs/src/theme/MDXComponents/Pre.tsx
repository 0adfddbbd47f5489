/**
 * @file A block of code: coloured when the page was compiled, with its file, PyTorch's, and a button to copy it.
 * @original
 */
import Link from "@docusaurus/Link";
import { RunPython } from "@site/src/components/RunPython";
import clsx from "clsx";
import { type ComponentProps, type ReactElement, type ReactNode, useRef, useState } from "react";

type Props = ComponentProps<"pre"> & {
  readonly "data-title"?: string;
  readonly "data-file"?: string;
  readonly "data-line"?: string;
  readonly "data-upstream"?: string;
  readonly "data-language"?: string;
  readonly "data-run"?: string;
  readonly "data-why"?: string;
};

export default function Pre(props: Props): ReactNode {
  const {
    children,
    className,
    "data-title": title,
    "data-file": file,
    "data-line": line,
    "data-upstream": upstream,
    "data-run": run,
    "data-why": why,
    ...rest
  } = props;
  const pre = useRef<HTMLPreElement>(null);
  // MDX hands `code` to a component that would colour it again: its children are what we want.
  const inner = (children as ReactElement<{ children?: ReactNode }> | undefined)?.props?.children ?? children;
  return (
    <figure className="code-block">
      {(title !== undefined || file !== undefined) && (
        <figcaption>
          {title !== undefined && <span className="code-title">{title}</span>}
          {file !== undefined && (
            <Link className="code-file" to={`/source/?file=${file}#L${line}`}>
              {file}
            </Link>
          )}
          {upstream !== undefined && upstream !== "" && (
            <a
              className="code-upstream"
              href={`https://github.com/pytorch/pytorch/blob/v2.13.0/${upstream}`}
              target="_blank"
              rel="noreferrer"
            >
              PyTorch: {upstream.replace(/^.*\//, "").replace("#L", ":")}
              <span aria-hidden="true"> ↗</span>
            </a>
          )}
        </figcaption>
      )}
      <pre {...rest} ref={pre} className={clsx("code", className)}>
        <code>{inner}</code>
      </pre>
      <Copy text={() => pre.current?.textContent ?? ""} />
      {run !== undefined && <RunPython program={() => decodeURIComponent(run)} />}
      {why !== undefined && <p className="code-why">This does not run here. {why}</p>}
    </figure>
  );
}

function Copy({ text }: { readonly text: () => string }): ReactNode {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="code-copy"
      onClick={async () => {
        await navigator.clipboard.writeText(text());
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      }}
    >
      {copied ? "Copied" : "Copy"}
    </button>
  );
}
