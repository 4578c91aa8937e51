import { Refusal } from "../decisions/refusal.ts";
import { hostLost } from "../events/types/hosts.ts";
import { defineOperation } from "./operation.ts";

/**
 * Declares an epoch of a host lost. What started there before can then be ended by anybody (`recover`, src/loop/drivers).
 *
 * @throws Refusal `nothing_to_do`: that epoch is lost already; `not_found`: the host has not had it yet
 */
export const loseHost = defineOperation({
  type: "host.lost",
  input: hostLost.payload,
  plan({ host, epoch }, state) {
    const now = state.hosts.get(host)?.epoch ?? 1;
    if (epoch < now)
      throw new Refusal("nothing_to_do", `Host ${host} was declared lost already, in its epoch ${epoch}.`, {
        unchanged: `host ${host}`,
      });
    if (epoch > now)
      throw new Refusal("not_found", `Host ${host} is in epoch ${now}; it has not had an epoch ${epoch}.`);
    return [{ type: "host.lost", payload: { host, epoch } }];
  },
  answer: ({ input: { host, epoch }, event }) => ({ host, epoch, position: event.position }),
});
