/** A text without case, blanks, times and durations, so that repeated failures compare equal. */
export function comparable(said: string): string {
  return said
    .toLowerCase()
    .replace(/\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?/g, "<time>")
    .replace(/\b\d+(?:[.,]\d+)?\s*(?:ms|s|sec|seconds|min|m)\b/g, "<time>")
    .replace(/\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b/g, "<time>")
    .replace(/\s+/g, " ")
    .trim();
}
