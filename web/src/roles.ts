// The roles of registers.
import type { Register } from './protocol';

/** A register can have several roles. */
export const hasRole = ({ roles }: Register, wanted: string): boolean => roles.includes(wanted);
