import type { Forms } from "./answers/forms.ts";
import type { Watcher } from "./resources/serve.ts";

/** The client of one request, in whichever era of MCP it was sent. */
export interface Caller {
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** The request's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** Tells the progress of the request. */
  progress(params: ProgressParams): Promise<void>;
  /** How a human at this client fills in a form; absent: the client shows none. */
  readonly forms?: Forms | undefined;
  /** The call that this one repeats, as its answer named it; absent: it repeats none. */
  readonly repeats?: string | undefined;
  /** Told of changes to what it was shown; absent: the client asks for that by a request of its own. */
  readonly watcher?: Watcher | undefined;
}

interface ProgressParams {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly message: string;
}

/** The token with which a client asks for progress (MCP, Progress). */
export function progressTokenOf({ meta }: Caller): string | number | undefined {
  const token = meta?.progressToken;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
