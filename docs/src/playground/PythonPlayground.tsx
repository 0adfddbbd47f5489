/**
 * @file The playground of a Python program; loaded when the reader asks for Python.
 * @original
 */
import type { ReactNode } from "react";
import { pythonProgram } from "./first_python";
import Playground from "./index";

export default function PythonPlayground(): ReactNode {
  return <Playground open language="python" code={pythonProgram} />;
}
