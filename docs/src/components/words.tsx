/**
 * @file Links inside a sentence: a word of the glossary, an operator's page, a symbol of the sources, a file.
 * @original
 */
import Link from "@docusaurus/Link";
import type { ReactNode } from "react";

/** `<W>dispatch key</W>`: `of` names the entry when the sentence uses another form. */
export function W({
  children,
  anchor,
  tip,
}: {
  readonly children?: ReactNode;
  readonly anchor?: string;
  readonly tip?: string;
}): ReactNode {
  return (
    <Link className="word" to={`/glossary/#${anchor}`} data-tip={tip}>
      {children}
    </Link>
  );
}

/** `<Op name="add.Tensor" />` */
export function Op({
  name,
  route,
  children,
}: {
  readonly name: string;
  readonly route?: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Link className="op" to={route ?? ""}>
      {children ?? <code>{name}</code>}
    </Link>
  );
}

/** `<Sym name="at::native::prelu" />`: to our line. */
export function Sym({
  name,
  route,
  upstream,
  children,
}: {
  readonly name: string;
  readonly route?: string;
  readonly upstream?: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Link
      className="sym"
      to={route ?? ""}
      title={upstream === undefined || upstream === "" ? undefined : `PyTorch: ${upstream}`}
    >
      {children ?? <code>{name}</code>}
    </Link>
  );
}

/** `<Source file="src/c10/core/StorageImpl.ts" region="StorageImpl" />` */
export function Source({
  file,
  route,
  children,
}: {
  readonly file: string;
  readonly route?: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Link className="sym" to={route ?? ""}>
      {children ?? <code>{file}</code>}
    </Link>
  );
}
