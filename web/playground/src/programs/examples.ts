// The programs to start from. The build collects them from the examples and the tutorial.

export interface Example {
  name: string;
  title: string;
  group: 'examples' | 'tutorial';
  text: string;
}

declare const EXAMPLES: readonly Example[];
declare const SKELETON: string;

export const examples = EXAMPLES;
/** The program that `psl new` writes. */
export const skeleton = SKELETON;
