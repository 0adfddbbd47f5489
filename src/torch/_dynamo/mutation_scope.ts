/**
 * @file How many functions of operators are being followed, one inside the other. A value may change only in the function that made it.
 * @mirrors torch/_dynamo/variables/base.py#is_side_effect_safe
 */
export const mutation_scope: { depth: number } = { depth: 0 };
