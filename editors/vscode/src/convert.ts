// Converts positions of the protocol to those of the editor. Both use UTF-16 code units.
import { Location, Position, Range, Uri } from 'vscode';
import type * as protocol from './protocol';

export const toRange = ({ start, end }: protocol.Range): Range =>
  new Range(new Position(start.line, start.character), new Position(end.line, end.character));

export const toLocation = ({ uri, range }: protocol.Related['location']): Location =>
  new Location(Uri.parse(uri), toRange(range));
