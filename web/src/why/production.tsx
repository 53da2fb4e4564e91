// The text of the production, with a mark on each condition: it holds or fails.
import type { VNode } from 'preact';
import type { ConditionResult, Layer, Token } from '../protocol';
import { programOf, textOf } from '../store';

/** A range of the text, colored by its tokens and without the indentation of the production. */
function colored(text: string, tokens: Token[], indent: string, from: number, to: number): (string | VNode)[] {
  const slice = (start: number, end: number): string => text.slice(start, end).replaceAll(`\n${indent}`, '\n');
  const parts: (string | VNode)[] = [];
  let at = from;
  for (const token of tokens) {
    const start = Math.max(token.start, at);
    const end = Math.min(token.end, to);
    if (start >= end) continue;
    if (start > at) parts.push(slice(at, start));
    parts.push(<span key={start} class={`t-${token.type}`}>{slice(start, end)}</span>);
    at = end;
  }
  if (at < to) parts.push(slice(at, to));
  return parts;
}

/** The indentation of the production, which its other lines share. */
function indentation(text: string, start: number): string {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, start))?.[0] ?? '';
}

export function Production({ slot, layer, conditions }: { slot: number; layer: Layer; conditions: ConditionResult[] }) {
  const { span } = layer;
  const text = textOf(slot);
  const tokens = (programOf(slot)?.tokens ?? []).filter(({ start, end }) => end > span.start && start < span.end);
  const indent = indentation(text, span.start);
  const parts: (string | VNode)[] = [];
  let at = span.start;
  for (const { span: { start, end }, holds } of [...conditions].sort((a, b) => a.span.start - b.span.start)) {
    if (start < at || end > span.end) continue;
    parts.push(...colored(text, tokens, indent, at, start));
    parts.push(
      <mark key={`condition ${start}`} class={holds ? 'holds' : 'fails'}>
        {colored(text, tokens, indent, start, end)}
        <span class="mark" aria-hidden="true">{holds ? ' ✓' : ' ✗'}</span>
        <span class="visually-hidden">{holds ? ' (holds)' : ' (fails)'}</span>
      </mark>,
    );
    at = end;
  }
  parts.push(...colored(text, tokens, indent, at, span.end));
  return <pre class="production">{parts}</pre>;
}
