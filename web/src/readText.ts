// The text of a file that the user opens.

/** The most bytes of a file. */
const LARGEST = 5_000_000;

/** Reads a file. Rejects with the reason if it is too large, not text, or unreadable. */
export async function readText(file: File): Promise<string> {
  if (file.size > LARGEST) throw new Error(`${file.name} exceeds 5 MB.`);
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    throw new Error(`${file.name} cannot be read. It may be a folder, or have changed since.`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch { /* It has the same message. */ }
  throw new Error(`${file.name} is not text in UTF-8.`);
}
