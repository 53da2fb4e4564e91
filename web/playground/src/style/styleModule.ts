// Replaces the package `style-mod`, with which CodeMirror adds its styles. It uses constructed style sheets, which the policy of
// the page allows. By itself, the package uses them in shadow trees only.
import { StyleModule as Package } from '../../../node_modules/style-mod/src/style-mod.js';

/** The document, as the package sees the root of a shadow tree. */
const root = {
  ownerDocument: document,
  get adoptedStyleSheets() { return document.adoptedStyleSheets; },
  set adoptedStyleSheets(sheets) { document.adoptedStyleSheets = sheets; },
};

export class StyleModule extends Package {
  static override mount(_root: Document | ShadowRoot, modules: Package | readonly Package[]): void {
    Package.mount(root as unknown as ShadowRoot, modules);
  }
}
