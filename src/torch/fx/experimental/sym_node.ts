/** @file placeholder while the rest is built */
export class SymInt {}
export class SymFloat {}
export class SymBool {}
