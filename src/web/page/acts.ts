import { useState } from "preact/hooks";
import type { Acted } from "../server/acts/act.ts";
import type { ActName, InputOf } from "../server/acts/index.ts";
import { useAddress } from "./address.ts";
import { refreshPresent } from "./answers.ts";
import { live } from "./live.ts";
import { request } from "./request.ts";
import { useStore } from "./store.ts";

/** Why nothing can be done on the page now; undefined where it can. */
export function useWhyNoActs(): string | undefined {
  const { at } = useAddress();
  const state = useStore(live, (value) => value.state);
  const isReadOnly = useStore(live, (value) => value.readOnly);
  if (at !== undefined) return "You look at the past, which cannot be changed. Go back to now (L).";
  if (isReadOnly) return "The panel was started with --read-only.";
  if (state === "reconnecting" || state === "unknown_address") return "The server is not there.";
  return undefined;
}

/**
 * Does something on the server. Its key is made here, so that what is sent again after a lost connection is done once.
 *
 * @throws RequestError: it was refused; nothing was recorded
 */
export async function act<Name extends ActName>(
  name: Name,
  input: InputOf<Name>,
  key: string = crypto.randomUUID(),
): Promise<Acted> {
  const acted = await request<Acted>(`/api/acts/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key, input }),
  });
  refreshPresent();
  return acted;
}

/** An act for a button or a form: whether it is under way, and what came in its way. */
export function useAct<Name extends ActName>(name: Name) {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: string }>({
    isBusy: false,
  });
  return {
    ...state,
    /** @returns undefined where it was refused, which `problem` then says */
    async run(input: InputOf<Name>, key?: string): Promise<Acted | undefined> {
      setState({ isBusy: true });
      try {
        const acted = await act(name, input, key);
        setState({ isBusy: false });
        return acted;
      } catch (error) {
        setState({ isBusy: false, problem: error instanceof Error ? error.message : String(error) });
        return undefined;
      }
    },
  };
}
