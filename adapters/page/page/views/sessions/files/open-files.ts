/** The open files after one was opened or closed: of too many, those that were opened first are closed. */
export function withFile(open: readonly string[], path: string, isOpen: boolean): readonly string[] {
  const others = open.filter((one) => one !== path);
  return isOpen ? [...others, path].slice(-MOST_OPEN) : others;
}

/** The open files whose names fit into a request: of too many, those that were opened last. */
export function filesToAsk(open: readonly string[]): readonly string[] {
  const asked = [...open];
  while (asked.length > 0 && lengthInAddress(asked) > LENGTH) asked.shift();
  return asked;
}

function lengthInAddress(paths: readonly string[]): number {
  return new URLSearchParams({ open: JSON.stringify(paths) }).toString().length;
}

/** Diffs that are open at once. */
export const MOST_OPEN = 10;
/** In characters: the server refuses more than 8,000, and longer headers. */
const LENGTH = 7_000;
