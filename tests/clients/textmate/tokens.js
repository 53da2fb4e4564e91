// Colors texts as Visual Studio Code does, with its own engine:
//     node tokens.js GRAMMAR... < {"texts": [[SCOPE, TEXT], ...], "injections": {SCOPE: [SCOPE, ...]}, "theme": …}
// Writes the tokens of each text, each as [line, column, text, scopes, color]. Lines and columns are 1-based.
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const oniguruma = require('vscode-oniguruma');
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');

// The bits of the color index in the metadata of a token.
const FOREGROUND = { shift: 15, mask: 0x1ff };

const main = async () => {
  const grammars = process.argv.slice(2).map((path) => parseRawGrammar(readFileSync(path, 'utf8'), path));
  const { texts, injections, theme } = JSON.parse(readFileSync(0, 'utf8'));
  await oniguruma.loadWASM(readFileSync(join(dirname(require.resolve('vscode-oniguruma')), 'onig.wasm')));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => oniguruma.createOnigScanner(patterns),
      createOnigString: (text) => oniguruma.createOnigString(text),
    }),
    loadGrammar: async (scope) => grammars.find(({ scopeName }) => scopeName === scope) ?? null,
    getInjections: (scope) => injections[scope],
    theme,
  });
  const colors = registry.getColorMap();
  // The engine returns runs of one color as pairs of start and metadata.
  const colorAt = (runs, column) => {
    let color;
    for (let index = 0; index < runs.length && runs[index] <= column; index += 2) {
      color = colors[(runs[index + 1] >>> FOREGROUND.shift) & FOREGROUND.mask];
    }
    return color;
  };
  const tokenized = async ([scope, text]) => {
    const grammar = await registry.loadGrammar(scope);
    let stack = INITIAL;
    return text.split('\n').flatMap((line, index) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
      const runs = grammar.tokenizeLine2(line, stack).tokens;
      stack = ruleStack;
      return tokens.map(({ startIndex, endIndex, scopes }) => [
        index + 1,
        startIndex + 1,
        line.slice(startIndex, endIndex),
        scopes,
        colorAt(runs, startIndex),
      ]);
    });
  };
  console.log(JSON.stringify(await Promise.all(texts.map(tokenized))));
};
main();
