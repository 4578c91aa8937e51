import { refuseAgent } from "../decisions/refuse-agent.ts";
import type { State } from "../decisions/state.ts";

/** Who may do what belongs to humans: everybody but an agent, who is refused with `not_possible`. @param why as a whole sentence */
export function byHumans(why: string): (input: object, state: State, actor: string) => void {
  return (_input, _state, actor) => refuseAgent(actor, why);
}
