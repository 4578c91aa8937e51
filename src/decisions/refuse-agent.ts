import { AGENT } from "../events/actors.ts";
import { Refusal } from "./refusal.ts";

/** For what belongs to a human or a driver alone. @param why said to an agent that asks for it. @throws Refusal `not_possible` */
export function refuseAgent(actor: string, why: string): void {
  if (actor === AGENT) throw new Refusal("not_possible", why);
}
