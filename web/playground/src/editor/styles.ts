// The styles of CodeMirror under a policy without inline styles.
import { StyleModule } from 'style-mod';

/**
 * Makes CodeMirror keep its styles in a constructed sheet of the page. It does so in a shadow root only, which it recognizes by the
 * missing head, and writes a style element otherwise, which the policy of the page forbids.
 */
export function adoptStyles(): void {
  Object.defineProperty(document, 'head', { value: null, configurable: true });
  try {
    StyleModule.mount(document, new StyleModule({}));
  } finally {
    Reflect.deleteProperty(document, 'head');
  }
}
