// Bundles scripts for pages with a strict policy.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

/** Bundles a script with its style. Returns the text of a kind: `.js` or `.css`. */
export function bundle(entry, define = {}) {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    outdir: 'dist',
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'ascii',
    alias: { 'style-mod': './playground/src/style/styleModule.ts' },
    define,
  });
  return (extension) => outputFiles.find(({ path }) => path.endsWith(extension))?.text.trim() ?? '';
}

export const digest = (content, encoding) => createHash('sha256').update(content).digest(encoding);

/** A text in the content security policy. */
export const hash = (text) => `'sha256-${digest(text, 'base64')}'`;

/** A script that can be in a script element: text in it must not end the element. */
export const inert = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

/** The content of a data element. */
export const packed = (content) => gzipSync(content, { level: 9 }).toString('base64');

/** Replaces `{{name}}` by parts of a page. */
export const filled = (template, parts) =>
  Object.entries(parts).reduce((page, [name, text]) => page.replace(`{{${name}}}`, () => text), template);
