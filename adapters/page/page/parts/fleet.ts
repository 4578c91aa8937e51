import type { AnswerOf } from "../../server/answers/index.ts";
import { useAnswer } from "../answers.ts";

/** The servers and hosts of the present; the answer is undefined until it arrives, and for a log that is a file. */
export function useFleet() {
  const { answer: overview } = useAnswer("overview", {}, { at: undefined });
  const { answer, error } = useAnswer(
    "fleet",
    {},
    { at: undefined, enabled: overview?.is_shared === true, every_ms: LOOK_MS },
  );
  return { isShared: overview?.is_shared, fleet: answer ?? undefined, error };
}

/** As often as the panel's server looks at the log's servers. */
const LOOK_MS = 5_000;

export type Fleet = NonNullable<AnswerOf<"fleet">>;

/** The faults because of which nothing is recorded. */
export function stopsIn({ servers: { facts, faults } }: Fleet): Fleet["servers"]["faults"] {
  return faults.filter(({ what }) =>
    what === "no_standby" ? facts?.synchronous_standby_names !== "" : what === "away" || what === "refused",
  );
}
