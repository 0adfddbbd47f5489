/**
 * @file Advice about graph breaks: sentences that several reasons share.
 * @mirrors torch/_dynamo/graph_break_hints.py
 */
export const USER_ERROR = [
  'Your code may result in an error when running in eager. Please double check that your code doesn\'t contain a similar error when actually running eager/uncompiled. You can do this by removing the `torch.compile` call, or by using `torch.compiler.set_stance("force_eager")`. ',
] as const;
export const DYNAMO_BUG = ["This is likely to be a Dynamo bug. Please report an issue to PyTorch."] as const;
export const FUNDAMENTAL = [
  "This graph break is fundamental - it is unlikely that Dynamo will ever be able to trace through your code. Consider finding a workaround.",
] as const;
export const SUPPORTABLE = [
  "It may be possible to write Dynamo tracing rules for this code. Please report an issue to PyTorch if you encounter this graph break often and it is causing performance issues.",
] as const;
export const CAUSED_BY_EARLIER_GRAPH_BREAK = [
  "This graph break may have been caused by an earlier graph break. Resolving the earlier graph break may resolve this one.",
] as const;
