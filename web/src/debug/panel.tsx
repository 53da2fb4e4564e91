// The debugger: moves through the shown run in both directions, by the commands of `psl debug`.
import { useEffect, useRef } from 'preact/hooks';
import { generation, interrupt, run, selected } from '../store';
import type { DebugLine } from '../protocol';
import { Command } from './command';
import './debug.css';
import { Lists } from './lists';
import { isOpen, MOVES } from './moves';
import { answer, entries, follow, send, slow } from './session';

const Line = ({ kind, text }: DebugLine) => <div class={`line ${kind}`}>{text || ' '}</div>;

function Log() {
  const log = useRef<HTMLDivElement>(null);
  const shown = entries.value;
  useEffect(() => { log.current?.scrollTo({ top: log.current.scrollHeight }); }, [shown]);
  return (
    <div class="log" role="log" aria-label="Answers" tabIndex={0} ref={log}>
      {shown.map(({ id, command, lines }) => (
        <div key={id}>
          <div class="line typed">{`(psl) ${command}`}</div>
          {lines.map((line, index) => <Line key={index} {...line} />)}
        </div>
      ))}
    </div>
  );
}

function Moves() {
  return (
    <div class="row moves" role="group" aria-label="Movements">
      {MOVES.map(({ command, name, back, key, title }) => (
        <button key={command} type="button" aria-label={`${name} ${back ? 'back' : 'forward'}`} title={`${title} (${key}): ${command}`} onClick={() => send(command)}>
          {back ? `‹ ${name}` : `${name} ›`}
        </button>
      ))}
      {slow.value && <button type="button" class="primary" onClick={interrupt}>Interrupt</button>}
    </div>
  );
}

export function DebugPanel() {
  useEffect(() => {
    isOpen.value = true;
    return () => { isOpen.value = false; };
  }, []);
  // One place: a selection elsewhere on the page moves the debugger.
  useEffect(follow, [selected.value, generation.value]);
  if (run.value === null) return <p class="empty">Run a prompt. This panel moves through its run in both directions.</p>;
  return (
    <div class="debugger">
      <section class="stack console" aria-label="Console">
        <Moves />
        <div class="place" role="group" aria-label="Place">{answer.value?.place.lines.slice(0, 2).map((line, index) => <Line key={index} {...line} />)}</div>
        <Log />
        <Command />
      </section>
      <Lists />
    </div>
  );
}
