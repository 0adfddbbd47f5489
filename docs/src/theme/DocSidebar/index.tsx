/**
 * @file The sidebar. Pages that are made in hundreds, of operators and of the API, are not in it: their list is, and it is marked as current.
 * @original
 */

import type { Props } from "@theme/DocSidebar";
import Original from "@theme-original/DocSidebar";
import type { ReactNode } from "react";

export default function DocSidebar(props: Props): ReactNode {
  return <Original {...props} path={props.path.replace(/(\/(?:operators|api)\/).+$/, "$1")} />;
}
