/**
 * @file Components that pages may use without an import. Their attributes are completed by site/remark_site.ts.
 * @original
 */

import BreakIt from "@site/src/components/BreakIt";
import { Diagram } from "@site/src/components/Diagram";
import { Falling, Objects } from "@site/src/components/Falling";
import ImportGraph from "@site/src/components/ImportGraph";
import { Strides } from "@site/src/components/Strides";
import { TwoWays } from "@site/src/components/TwoWays";
import { Trace } from "@site/src/components/trace/Trace";
import { Claims, PythonLines } from "@site/src/components/walkthrough";
import { Op, Source, Sym, W } from "@site/src/components/words";
import Playground from "@site/src/playground";
import { Practise } from "@site/src/school/Practise";
import Original from "@theme-original/MDXComponents";
import Pre from "./Pre";

export default {
  ...Original,
  pre: Pre,
  BreakIt,
  Claims,
  Diagram,
  Falling,
  ImportGraph,
  Objects,
  Op,
  Playground,
  Practise,
  PythonLines,
  Source,
  Strides,
  Sym,
  Trace,
  TwoWays,
  W,
};
