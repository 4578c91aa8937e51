import { useRef, useState } from "preact/hooks";
import type { Acted } from "../server/acts/act.ts";
import type { ActName, InputOf } from "../server/acts/index.ts";
import { useAddress } from "./address.ts";
import { refreshPresent, useAnswer } from "./answers.ts";
import { errorMessage, isAtLeast, type Role } from "./core.ts";
import { live } from "./live.ts";
import { newKey } from "./new-key.ts";
import { isRefused, type RequestError, request } from "./request.ts";
import { useStore } from "./store.ts";

/** Why actions are disabled now; undefined if they are enabled. @param needed the role that they need */
export function useDisabledReason(needed: Role = "decide"): string | undefined {
  const { at } = useAddress();
  const state = useStore(live, (value) => value.state);
  const problem = useStore(live, (value) => value.problem);
  const visitor = useAnswer("overview", {}, { at: undefined }).answer?.visitor;
  const isReadOnly = useStore(live, (value) => value.readOnly);
  if (at !== undefined) return "You are viewing the past, which cannot be changed. Go back to now (L).";
  if (isReadOnly) return "The panel runs with --read-only, so nothing can be changed.";
  if (visitor && !isAtLeast(visitor.role, needed))
    return `${visitor.name} has the role ${visitor.role} here; this needs ${needed}.`;
  if (state === "reconnecting" || state === "unknown_address") return problem ?? "The server is unreachable.";
  return undefined;
}

/**
 * Sends an action to the server. The key makes it idempotent when it is sent again.
 *
 * @throws RequestError: it was refused; nothing was recorded
 */
export async function act<Name extends ActName>(
  name: Name,
  input: InputOf<Name>,
  key: string = newKey(),
): Promise<Acted> {
  const acted = await request<Acted>(`/api/acts/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key, input }),
  });
  refreshPresent(acted.position);
  return acted;
}

/** An action for a button or a form, with its progress and its error. */
export function useAct<Name extends ActName>(name: Name) {
  const [state, setState] = useState<ActState>({ isBusy: false });
  // An action keeps its key until the outcome is known, so that a retry is recorded once.
  const unsure = useRef<{ readonly input: string; readonly key: string }>();
  return {
    ...state,
    /** @returns undefined if it failed; `problem` then has the reason */
    async run(input: InputOf<Name>): Promise<Acted | undefined> {
      const text = JSON.stringify(input);
      const key = unsure.current?.input === text ? unsure.current.key : newKey();
      unsure.current = { input: text, key };
      setState({ isBusy: true });
      try {
        const acted = await act(name, input, key);
        unsure.current = undefined;
        setState({ isBusy: false });
        return acted;
      } catch (error) {
        if (isRefused(error)) unsure.current = undefined;
        const problem = errorMessage(error);
        setState({ isBusy: false, problem, fields: isRefused(error) ? error.fields : undefined });
        return undefined;
      }
    },
  };
}

interface ActState {
  readonly isBusy: boolean;
  readonly problem?: string;
  /** The fault of each wrong field. */
  readonly fields?: RequestError["fields"];
}
