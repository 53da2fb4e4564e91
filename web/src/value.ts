// The values of registers.

/** Null if the register has no value. */
export type Value = string | null;
