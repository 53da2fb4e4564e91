import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app';
import { prefetch } from './print/prefetch';
import { watchPrinting } from './print/watch';
import { followCursor } from './program/followCursor';
import { followAddress } from './shell/address';
import { listen } from './shell/editor';
import { selectFirst } from './shell/first';
import { awaitFrame, followSelection, inFrame } from './shell/frame';
import { followNotebook } from './shell/notebook';
import { data } from './store';
import './style/colors.css';
import './style/base.css';
import './style/shell.css';
import './style/toolbar.css';
import './style/grid.css';
import './style/program.css';
import './print/print.css';

function start(): void {
  const root = document.getElementById('app');
  if (root) render(<App />, root);
  effect(() => { document.title = `${data.value.name} – PSL explorer`; });
  selectFirst();
  void followAddress();
  if (inFrame) followSelection();
  else listen();
  followCursor();
  followNotebook();
  prefetch();
  watchPrinting();
}

if (inFrame) awaitFrame(start);
else start();
