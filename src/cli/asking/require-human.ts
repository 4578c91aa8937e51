import { Refusal } from "../../decisions/refusal.ts";
import { carriedSessions } from "../making/carried-sessions.ts";
import { canAsk, confirmedByHand } from "./questions.ts";

/** How a human may confirm something without being asked. */
export interface Confirming {
  readonly yes?: boolean;
  readonly digest?: string;
}

/**
 * Goes on only if a human confirms what was shown.
 *
 * @param what for sentences about it, such as the path of a file
 * @throws Refusal `not_possible`: an agent asks for it, there is nobody to ask, or the answer was no
 */
export async function requireHuman(
  what: string,
  { yes, digest }: Confirming,
  { question, instead }: { readonly question: string; readonly instead: string },
): Promise<void> {
  const [session] = carriedSessions();
  if (session !== undefined)
    throw new Refusal(
      "not_possible",
      `Nothing was confirmed: this is an agent's session (${session}). Only a human may confirm ${what}.`,
    );
  if (yes || digest !== undefined) return;
  if (!canAsk())
    throw new Refusal("not_possible", `Nothing was confirmed: there is no terminal to ask on. ${instead}`);
  if (!(await confirmedByHand(question))) throw new Refusal("not_possible", "Nothing was confirmed.");
}
