import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type ElicitRequestFormParams,
  ErrorCode,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { Observable } from "rxjs";
import type { z } from "zod";
import { visible } from "../../events/visible.ts";
import { filledForm } from "./form.ts";

/** A call that waits, and through which its client can be reached. */
export type Caller = Pick<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  "signal" | "sendRequest" | "sendNotification" | "_meta"
>;

/**
 * Shows a form at the client of a call: emits what came back, or the sentence that says why nothing did. Whoever
 * unsubscribes before takes the form back.
 */
export function shownForm(
  caller: Caller,
  form: ElicitRequestFormParams,
  wait_s: number,
): Observable<Outcome> {
  return new Observable((subscriber) => {
    const request = new AbortController();
    // The SDK tells the client of an abort even when the request is over, so this is known here.
    let over = false;
    const settle = (outcome: Outcome) => {
      over = true;
      subscriber.next(outcome);
      subscriber.complete();
    };
    caller
      .sendRequest({ method: "elicitation/create", params: form }, filledForm, {
        signal: request.signal,
        timeout: wait_s * 1_000,
      })
      .then(
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
  if (!(error instanceof McpError)) return "The client's answer could not be read.";
  if (error.code === ErrorCode.RequestTimeout) return `No human answered within ${wait_s} s.`;
  return `The client could not ask: ${[...visible(error.message)].slice(0, 300).join("")}.`;
}
