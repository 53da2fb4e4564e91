// What the playground's page is made of, without the page, for tests in a browser.
import { onDrop, openFile, saveFile } from '../../../web/playground/src/disk/disk';
import { openPrograms } from '../../../web/playground/src/programs/store';
import { fromFragment, toFragment } from '../../../web/playground/src/share/link';

Object.assign(globalThis, { probe: { openPrograms, toFragment, fromFragment, openFile, saveFile, onDrop } });
