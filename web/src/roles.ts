// The roles of registers.
import type { Register } from './protocol';

/** A register can have several roles, such as `symbol, output`. */
export const hasRole = ({ role }: Register, wanted: string): boolean => role?.split(', ').includes(wanted) === true;
