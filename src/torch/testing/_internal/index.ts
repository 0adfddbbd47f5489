/**
 * @file Lets Python programs import `torch.testing._internal`: the test case and decorators of PyTorch's own tests, as Python texts.
 * A program that imports this file has them; each is compiled when it is first imported.
 * @mirrors torch/testing/_internal/__init__.py
 */
import { texts } from "#torch/_python_texts";
import { SOURCES } from "./generated/sources.ts";

texts.add(SOURCES);
