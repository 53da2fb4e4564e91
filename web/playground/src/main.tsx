import { render } from 'preact';
import { App } from './page/app';
import { follow, openFirst } from './page/startup';
import '../../src/style/colors.css';
import '../../src/style/base.css';
import './style/page.css';
import './style/panels.css';
import './style/text.css';

const root = document.getElementById('app');
void openFirst().then(() => {
  if (root) render(<App />, root);
  follow();
});
