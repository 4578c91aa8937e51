import type { Verb } from "../../../../events/types/signals.ts";
import type { Address, Changes } from "../../address.ts";
import { verbWords } from "../../parts/verb.tsx";

/** Which cards of a timeline are wanted, as the address has it and the server is asked. */
export interface CardFilter {
  /** Any of these. */
  readonly verb: Verb[] | undefined;
  readonly session: string | undefined;
  readonly by: "agent" | "human" | undefined;
  readonly late: "yes" | undefined;
  readonly text: string | undefined;
}

export function filterIn({ get }: Address): CardFilter {
  const by = get("by");
  const verbs = get("verb")?.split(",").filter(isVerb) ?? [];
  return {
    verb: verbs.length > 0 ? verbs : undefined,
    session: get("session"),
    by: by === "agent" || by === "human" ? by : undefined,
    late: get("late") === "yes" ? "yes" : undefined,
    text: get("text"),
  };
}

function isVerb(word: string): word is Verb {
  return Object.hasOwn(verbWords, word);
}

export function isFiltered(filter: CardFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export const noFilter: Changes = {
  verb: undefined,
  session: undefined,
  by: undefined,
  late: undefined,
  text: undefined,
};
