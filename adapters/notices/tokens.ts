import type { Message } from "./core.ts";

/** The one-time tokens in a message, which no error may repeat. */
export function tokensOf({ notices }: Message): string[] {
  return notices.flatMap(({ acts }) => acts.map(({ answer }) => answer.body.token));
}
