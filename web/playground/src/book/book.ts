// What the pages of the book load when a reader presses a button: docs/theme/playground.js uses it.
import { toFragment } from '../share/link';
import { run, stop } from './run';

Object.assign(globalThis, { pslBook: { run, stop, toFragment } });
