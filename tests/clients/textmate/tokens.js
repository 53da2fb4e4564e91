// Colours texts as Visual Studio Code does, with its own engine:
//     node tokens.js GRAMMAR... < {"texts": [[SCOPE, TEXT], ...], "injections": {SCOPE: [SCOPE, ...]}, "theme": …}
// Writes for each text its tokens, each as [line, column, text, scopes, colour]; lines and columns count from 1.
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const oniguruma = require('vscode-oniguruma');
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');

// Where the number of its colour stands in what the engine says of a token.
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
  const colours = registry.getColorMap();
  // The engine gives runs of one colour, as its start and its number by turns.
  const colourAt = (runs, column) => {
    let colour;
    for (let index = 0; index < runs.length && runs[index] <= column; index += 2) {
      colour = colours[(runs[index + 1] >>> FOREGROUND.shift) & FOREGROUND.mask];
    }
    return colour;
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
        colourAt(runs, startIndex),
      ]);
    });
  };
  console.log(JSON.stringify(await Promise.all(texts.map(tokenized))));
};
main();
