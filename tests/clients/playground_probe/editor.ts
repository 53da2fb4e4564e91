// The pure parts of the playground's editor, for tests in Node.
export { Text } from '../../../web/node_modules/@codemirror/state';
export { changesOf, editsOf, offsetOf, positionOf, sameUri } from '../../../web/playground/src/editor/text/edits';
export { indentation } from '../../../web/playground/src/editor/text/indentation';
export { parseSnippet, toTemplate } from '../../../web/playground/src/editor/text/snippet';
export { decode, ROWS } from '../../../web/playground/src/editor/text/tokens';
export { answering, Unknown } from '../../../web/playground/src/editor/answers';
