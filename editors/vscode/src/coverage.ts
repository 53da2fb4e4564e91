// The coverage of a program by its tests, in the form of the editor.
import { BranchCoverage, DeclarationCoverage, type FileCoverageDetail, StatementCoverage } from 'vscode';
import { toRange } from './convert';
import type { Coverage, CoveredPart } from './protocol';

/** Productions are declarations and statements, assignments and `until` clauses are statements, and the rest are branches. */
export function detailsOf({ productions, repeats }: Coverage): FileCoverageDetail[] {
  const ofProductions = productions.flatMap(({ label, head, parts }) => {
    const production = parts.find(({ kind }) => kind === 'production');
    if (!production) return [];
    const range = toRange(head.range);
    const branches = parts.filter(({ kind }) => kind === 'condition' || kind === 'entry').map((part) => branch(part, nameOf(part)));
    const assignments = parts.filter(({ kind }) => kind === 'assignment')
      .map((part) => new StatementCoverage(part.mattered, toRange(part.range)));
    const name = label ?? `production at line ${range.start.line + 1}`;
    return [
      new DeclarationCoverage(name, production.reached, range),
      new StatementCoverage(production.reached, range, branches),
      ...assignments,
    ];
  });
  const ofRepeats = repeats.map(([wentOn, ended]) => {
    const sides = [branch(wentOn, 'another pass'), branch(ended, 'the end')];
    return new StatementCoverage(wentOn.reached + ended.reached, toRange(wentOn.range), sides);
  });
  return [...ofProductions, ...ofRepeats];
}

function nameOf({ kind, verdict }: CoveredPart): string {
  return `${kind === 'entry' ? 'list entry' : kind} (${verdict})`;
}

function branch(part: CoveredPart, label: string): BranchCoverage {
  return new BranchCoverage(part.mattered, toRange(part.range), label);
}
