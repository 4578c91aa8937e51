import type { ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js";
import { Observable } from "rxjs";
import type { z } from "zod";
import { visible } from "../../lib/visible.ts";
import { filledForm } from "./form.ts";
import type { Forms } from "./forms.ts";

/** Sends a request to the client of a waiting call. */
export type SendRequest = Extract<Forms, { readonly sendRequest: unknown }>["sendRequest"];

/**
 * Shows a form at the client of a call: emits the result, or a sentence why there is none.
 * Unsubscribing earlier withdraws the form.
 */
export function shownForm(
  sendRequest: SendRequest,
  form: ElicitRequestFormParams,
  wait_s: number,
): Observable<Outcome> {
  return new Observable((subscriber) => {
    const request = new AbortController();
    // The SDK cancels at the client even after the request is over, so this code keeps track.
    let over = false;
    const settle = (outcome: Outcome) => {
      over = true;
      subscriber.next(outcome);
      subscriber.complete();
    };
    sendRequest({ method: "elicitation/create", params: form }, filledForm, {
      signal: request.signal,
      timeout: wait_s * 1_000,
    }).then(
      (filled) => settle({ filled }),
      (error: unknown) => settle({ why: whyNot(error, wait_s) }),
    );
    return () => {
      if (!over) request.abort("The question no longer needs an answer here.");
    };
  });
}

type Outcome = { readonly filled: z.infer<typeof filledForm> } | { readonly why: string };

function whyNot(error: unknown, wait_s: number): string {
  // Only what the SDK or the client says has a number.
  if (!(error instanceof Error && "code" in error && typeof error.code === "number"))
    return "The client's answer could not be read.";
  if (error.code === REQUEST_TIMEOUT) return `No human answered within ${wait_s} s.`;
  return `The client could not ask: ${[...visible(error.message)].slice(0, 300).join("")}.`;
}

/** The SDK's code for a request that was not answered in time. */
const REQUEST_TIMEOUT = -32_001;
