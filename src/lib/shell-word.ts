/** As a shell takes it for one word, whatever it holds: for commands that are there to be pasted. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
