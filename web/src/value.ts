// The values of registers.

/** Null is a register without a value. */
export type Value = string | null;
