// A choice of a few views, all of them visible.

interface Props<T extends string> { label: string; value: T; choices: [T, string][]; onChange(value: T): void }

export function Segments<T extends string>({ label, value, choices, onChange }: Props<T>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(([choice, text]) => (
        <button key={choice} aria-pressed={choice === value} onClick={() => onChange(choice)}>{text}</button>
      ))}
    </div>
  );
}
