// The program, colored, with its layers marked.
import { computed, signal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Diagnostic, Layer } from '../protocol';
import { data, layer as current, program } from '../store';
import { alone } from '../shell/open';
import { Diagnostics } from './diagnostics';
import { goToLayer, goToLine, lookedAt } from './link';
import { linesOf, type Piece, type TextLine } from './pieces';
import { Qkv } from './qkv';

/** Whether the query, key and value of all layers are shown, or only of the selected one. */
const allMaps = signal(false);

const text = computed(() => linesOf(data.value.text, program.value?.tokens ?? [], program.value?.diagnostics ?? []));

const explain = ({ severity, message, help }: Diagnostic): string => `${severity}: ${message}${help === undefined ? '' : `\n${help}`}`;

function Code({ pieces }: { pieces: Piece[] }) {
  return (
    <>
      {pieces.map(({ text: part, type, diagnostic }, index) => (
        <span key={index} class={`${type === '' ? '' : `t-${type}`}${diagnostic ? ` d-${diagnostic.severity}` : ''}`} title={diagnostic ? explain(diagnostic) : undefined}>{part}</span>
      ))}
    </>
  );
}

interface Shown { line: TextLine; starts: Layer | null; tab: boolean; inside: boolean; wrong: boolean }

const Line = memo(({ line: { number, pieces }, starts, tab, inside, wrong }: Shown) => (
  <div class={`code-line${inside ? ' inside' : ''}${wrong ? ' wrong' : ''}`} data-line={number}>
    <span class="line-number">{number}</span>
    {starts
      ? (
        <button
          type="button" class="layer-mark" data-layer={starts.number} tabIndex={tab ? 0 : -1} aria-current={inside ? 'true' : undefined}
          aria-label={`Layer ${starts.number}: ${starts.label ?? ''}`} title="Center this layer in the grid"
        >{starts.number}</button>
      )
      : <span class="layer-space" />}
    <code><Code pieces={pieces} /></code>
  </div>
));

function lineFrom(target: EventTarget | null): number | null {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-line]')?.dataset['line'] : undefined;
  return line === undefined ? null : Number(line);
}

function click({ target }: MouseEvent): void {
  const line = lineFrom(target);
  if (line !== null) goToLine(line);
}

/** Up and down move between productions. */
function key(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-layer]') : null;
  if (step === 0 || mark === null) return;
  const next = program.peek()?.layers[Number(mark.dataset['layer']) - 1 + step];
  event.preventDefault();
  if (next === undefined) return;
  goToLayer(next);
  mark.closest('.program-code')?.querySelector<HTMLElement>(`[data-layer="${next.number}"]`)?.focus();
}

function bringIntoView(body: HTMLElement | null, line: number | undefined): void {
  const first = body?.querySelector<HTMLElement>(`[data-line="${line}"]`);
  if (!body || !first) return;
  const top = first.offsetTop;
  if (top < body.scrollTop + 20 || top > body.scrollTop + body.clientHeight - 100) body.scrollTop = top - body.clientHeight / 3;
}

export function ProgramPanel() {
  const code = useRef<HTMLDivElement>(null);
  const chosen = current.value;
  const isAlone = alone.value !== null;
  const hasAllMaps = isAlone || allMaps.value;
  const known = program.value;
  const errors = (known?.diagnostics ?? []).flatMap(({ severity, line }) => (severity === 'error' ? [line] : []));
  useLayoutEffect(() => bringIntoView(code.current, chosen?.span.line ?? errors[0]), [chosen?.number, known]);
  useLayoutEffect(() => bringIntoView(code.current, lookedAt.value?.line), [lookedAt.value]);
  const starts = new Map((known?.layers ?? []).map((layer) => [layer.head.line, layer]));
  const tab = chosen?.number ?? 1;
  return (
    <section class="panel program" aria-label="Program">
      <div class="panel-head">
        <h2>Program</h2>
        <span class="caption grow">{data.value.name}</span>
        {!isAlone && <label><input type="checkbox" checked={allMaps.value} onChange={() => { allMaps.value = !allMaps.value; }} />q, k, v</label>}
      </div>
      <Diagnostics />
      <div class="panel-body program-code" ref={code} tabIndex={0} role="region" aria-label="Text of the program" onClick={click} onKeyDown={key}>
        {text.value.map((line) => {
          const inside = chosen !== null && line.start <= chosen.span.end && line.start + 1 > chosen.span.start - indent(line);
          const layer = starts.get(line.number) ?? null;
          const ends = [...(hasAllMaps ? (known?.layers ?? []) : chosen ? [chosen] : [])].find(({ span }) => endsIn(line, span.end));
          return (
            <>
              <Line key={line.number} line={line} starts={layer} tab={layer?.number === tab} inside={inside} wrong={errors.includes(line.number)} />
              {ends && <Qkv key={`maps${line.number}`} layer={ends} />}
            </>
          );
        })}
      </div>
    </section>
  );
}

const length = ({ pieces }: TextLine): number => pieces.reduce((sum, { text: part }) => sum + part.length, 0);
const endsIn = (line: TextLine, end: number): boolean => end > line.start && end <= line.start + length(line);
const indent = ({ pieces }: TextLine): number => /^\s*/.exec(pieces.map(({ text: part }) => part).join(''))?.[0].length ?? 0;
