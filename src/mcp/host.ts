import type { Store } from "../decisions/store.ts";

/** The process in which a session's clients are served. Whatever serves them, on whichever way, is told so and passes it on. */
export interface Host {
  /** Opens the project; called for each use, first once a client is there: starting touches neither log nor read model. */
  readonly open: () => Promise<Store>;
  /** True: its clients have entered one session, by its token or its socket, and work in no other. */
  readonly isBound?: boolean | undefined;
  /** Once it is aborted, the calls that wait for their turn fail with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The most calls that wait at the same time; absent: no limit. */
  readonly mostCalls?: number | undefined;
  /** Told of what goes wrong beside the answers. */
  readonly report?: ((error: unknown) => void) | undefined;
}
