// What is selected when a run appears: what went wrong, or what wrote the first symbol.
import { effect } from '@preact/signals';
import { data, generation, run, select, selected, wantedRuns } from '../store';
import { result } from '../toolbar/result';
import { placeOfSymbol } from '../toolbar/written';

export function selectFirst(): void {
  let last: string | undefined;
  effect(() => {
    const stamp = generation.value;
    const current = run.peek();
    if (current === null) return;
    const asked = JSON.stringify([data.peek().name, wantedRuns.peek()[0]?.prompt]);
    const same = asked === last;
    last = asked;
    const place = selected.peek();
    const valid = place?.slot === 0 && place.cell <= current.symbols.length && (place.row ?? 0) < current.rows.length;
    if (valid && same) return;
    placeOfSymbol(result.peek()?.wrong ?? 0).then((found) => {
      // By now the user, or the address, may have selected a place.
      if (found && stamp === generation.peek() && selected.peek() === place) select(found);
    }, () => undefined);
  });
}
