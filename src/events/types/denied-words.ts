/** Denied tools for people: `Write, Bash (3×)`. */
export function deniedWords(denied: readonly { readonly tool: string; readonly times: number }[]): string {
  return denied.map(({ tool, times }) => (times === 1 ? tool : `${tool} (${times}×)`)).join(", ");
}
