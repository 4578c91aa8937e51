import { refuseAgent } from "../decisions/refuse-agent.ts";
import type { State } from "../decisions/state.ts";

/** Refuses agents with `not_possible`; everyone else may decide. @param why as a whole sentence */
export function byHumans(why: string): (input: object, state: State, actor: string) => void {
  return (_input, _state, actor) => refuseAgent(actor, why);
}
