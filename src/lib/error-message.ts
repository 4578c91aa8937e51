/** What an error says; of any other thrown value, its text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
