import { AGENT } from "../events/actors.ts";
import { Refusal } from "./refusal.ts";

/**
 * For acts of humans and drivers only. @param why the message to an agent. @throws Refusal
 * `not_possible`
 */
export function refuseAgent(actor: string, why: string): void {
  if (actor === AGENT) throw new Refusal("not_possible", why);
}
