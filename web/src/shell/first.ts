// Selects the update that wrote the first wrong symbol or, if none is wrong, the first symbol of a new run.
import { effect } from '@preact/signals';
import { data, generation, run, select, selected, wantedRuns } from '../store';
import { result } from '../toolbar/result';
import { coordinatesOfSymbol } from '../toolbar/written';

export function selectFirst(): void {
  let last: string | undefined;
  effect(() => {
    const stamp = generation.value;
    const current = run.peek();
    if (current === null) return;
    const asked = JSON.stringify([data.peek().name, wantedRuns.peek()[0]?.prompt]);
    const same = asked === last;
    last = asked;
    const at = selected.peek();
    const valid = at?.slot === 0 && at.cell <= current.symbols.length && (at.row ?? 0) < current.rows.length;
    if (valid && same) return;
    coordinatesOfSymbol(result.peek()?.wrong ?? 0).then((found) => {
      // By now, the user or the address may have selected something.
      if (found && stamp === generation.peek() && selected.peek() === at) select(found);
    }, () => undefined);
  });
}
