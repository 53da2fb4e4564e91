// The programs to start from. The build collects them from the examples and the tutorial.

export interface Example {
  name: string;
  title: string;
  group: 'examples' | 'tutorial';
  text: string;
}

declare const EXAMPLES: readonly Example[];

export const examples = EXAMPLES;
