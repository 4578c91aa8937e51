import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type {
  ElicitRequestFormParams,
  ServerNotification,
  ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";

/** How the client of a call has a human fill in a form. */
export type Forms =
  /** By a request to the client, while the call waits. */
  | { readonly sendRequest: RequestHandlerExtra<ServerRequest, ServerNotification>["sendRequest"] }
  /** The call ends with the form; the client repeats it with the result, which is here by then. */
  | { readonly filled: unknown };

/**
 * Thrown to end a call with a form, in place of an answer (MCP, Multi Round-Trip Requests).
 * Everything that the call has recorded stays.
 */
export class InputRequired {
  readonly form: ElicitRequestFormParams;

  constructor(form: ElicitRequestFormParams) {
    this.form = form;
  }
}
