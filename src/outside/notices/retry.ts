import type { Decision } from "../../decisions/decide.ts";
import { Refusal } from "../../decisions/refusal.ts";

/**
 * Tells dead letters again. @param given.notice the id of one; absent: all
 *
 * @throws Refusal `not_found`; `nothing_to_do`: nothing was given up
 */
export function retryNotices(given: { readonly notice?: string | undefined }): Decision<"notice.retried"> {
  return {
    type: "notice.retried",
    input: given,
    plan({ notices }) {
      const dead = notices.where({ state: "dead" });
      const wanted = dead.filter(({ notice }) => given.notice === undefined || notice === given.notice);
      if (wanted.length > 0)
        return wanted.map(({ notice, channel }) => ({
          type: "notice.retried",
          payload: { notice, channel },
        }));
      if (given.notice === undefined) throw new Refusal("nothing_to_do", "No notice was given up.");
      throw new Refusal(
        "not_found",
        `No notice ${given.notice} was given up. Run \`signalbox notify status\` to see those that were.`,
      );
    },
  };
}
