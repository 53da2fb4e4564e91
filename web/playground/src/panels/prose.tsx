// A message of the server, in which names are between backquotes.
export function Prose({ text }: { text: string }) {
  const parts = text.split('`');
  // An unpaired backquote is a character.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
