// Bundles the extension with the grammars, and collects the licenses of all bundled packages in one file.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { buildSync } from 'esbuild';

const { metafile } = buildSync({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  external: ['vscode'],
  metafile: true,
});

for (const grammar of ['psl.tmLanguage.json', 'markdown-psl.json']) {
  copyFileSync(`../../grammars/textmate/${grammar}`, `dist/${grammar}`);
}

// The page of an installed extension cannot show local images.
const page = readFileSync('README.md', 'utf8').replace(/^!\[.*\]\(images\/.*\)\n\n?/gm, '');
writeFileSync('dist/README.md', page);

const licenses = (folder) =>
  readdirSync(folder)
    .filter((name) => /^licen[cs]e/i.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8').trim());
const folders = Object.keys(metafile.inputs).map((file) => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0]);
const parts = ['Licensed under the MIT License or the Apache License, Version 2.0, at your option.', ...licenses('../..')];
for (const folder of new Set(folders.filter(Boolean))) {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  parts.push(`The extension contains ${name} ${version} under this license:`, ...licenses(folder));
}
writeFileSync('LICENSE.txt', parts.join('\n\n') + '\n');
