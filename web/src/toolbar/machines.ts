// The machines that run a program.
import type { Machine } from '../protocol';

export const MACHINES: [Machine, string][] = [
  ['psm', 'PSM: productions'],
  ['qkvm', 'QKVM: query, key, value'],
  ['dat', 'DAT: lookups'],
  ['full-dat', 'DAT: matrices'],
];

export const machineName = (machine: Machine): string => MACHINES.find(([id]) => id === machine)?.[1] ?? machine;
