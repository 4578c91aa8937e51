import { concatAll, filter, from, type Subscription, switchMap } from "rxjs";
import type { Store } from "../../decisions/store.ts";
import type { Own } from "../../lib/http/listen.ts";
import { LogError } from "../../lib/log-error.ts";
import { findSession } from "../../queries/find-sessions.ts";
import { askAtHead } from "../../read-model/ask.ts";
import { ReadModelError } from "../../read-model/read-model-error.ts";
import { hostSession } from "../host-session.ts";
import { LaunchError, readLaunch } from "../launch.ts";
import { INTERNAL_ERROR } from "../request-error.ts";
import { BodyRoom, SERVER_BYTES } from "./body.ts";
import { refuseForeign } from "./guard.ts";
import { CALLS, HttpSession } from "./http-session.ts";
import { refuse, unauthorized, unavailable } from "./refuse.ts";
import { findGrant, type Grant, projectMark, type TokenFault } from "./tokens.ts";

/** The sessions that one process serves over HTTP, each to whoever holds its token. */
export interface HttpSessions {
  /** Answers a request to `/mcp` in the session of its token. @param own the server's addresses */
  answer(request: Request, own: Pick<Own, "hosts" | "origins">): Promise<Response>;
  /** Sessions are left once their calls are answered. */
  close(): Promise<void>;
}

/** @param readModelPath of the project that is open in `store` */
export function openHttpSessions(
  store: Store,
  readModelPath: string,
  report: (error: unknown) => void,
): HttpSessions {
  const sessions = new Map<string, { readonly grant: Grant; readonly session: HttpSession }>();
  const room = new BodyRoom(SERVER_BYTES);
  let mark: Promise<string> | undefined;
  let following: Subscription | undefined;
  let isClosed = false;

  async function answer(request: Request, own: Pick<Own, "hosts" | "origins">): Promise<Response> {
    const refused = refuseForeign(request, own);
    if (refused) return refused;
    if (isClosed) return unavailable("The server is ending. Nothing was recorded.");
    try {
      const token = tokenIn(request.headers);
      if (token === undefined) return unauthorized(FAULTS.no_token);
      mark ??= projectMark(store.log);
      const grant = findGrant(readModelPath, await mark, token);
      if (typeof grant === "string") {
        // It may have been removed while it was used.
        void close(token).catch(report);
        return unauthorized(FAULTS[grant]);
      }
      const ended = await exitOf(grant);
      if (ended !== null) {
        await end(grant.session);
        return unauthorized(
          `Session ${grant.session} has ended (${ended}), and its token with it. \`signalbox launch RECIPE --task ID --transport http\` starts another one.`,
        );
      }
      return (sessions.get(token)?.session ?? open(token, grant)).answer(request);
    } catch (error) {
      if (error instanceof LaunchError || error instanceof LogError || error instanceof ReadModelError)
        return unavailable(error.message);
      report(error);
      return refuse(500, "The server failed to answer. The error is told where it runs.", {
        code: INTERNAL_ERROR,
      });
    }
  }

  /** How the session of a grant has ended; null: it has not, or the grant is of a conversation, which has no end in the log. */
  async function exitOf({ session, variables }: Grant): Promise<string | null> {
    if (variables.RALPH_TASK_ID === undefined) return null;
    return askAtHead(store, (tables) => findSession(tables, session)?.exit ?? null);
  }

  function open(token: string, grant: Grant): HttpSession {
    const hosted = hostSession(readLaunch(grant.variables), {
      open: async () => store,
      isBound: true,
      mostCalls: CALLS,
      report,
    });
    const session = new HttpSession(hosted, room);
    sessions.set(token, { grant, session });
    // The next request reads the launch again.
    void hosted.unusable.then((error) => {
      report(error);
      return close(token);
    });
    following ??= from(store.log.head())
      .pipe(
        switchMap((head) => store.log.follow(head)),
        concatAll(),
        filter(({ type }) => type === "session.ended"),
      )
      .subscribe({
        next: ({ correlation }) => void end(correlation).catch(report),
        error(error) {
          // The next session that comes follows again.
          following = undefined;
          report(error);
        },
      });
    return session;
  }

  async function end(name: string | undefined): Promise<void> {
    const ended = [...sessions].filter(([, { grant }]) => grant.session === name);
    await Promise.all(ended.map(([token]) => close(token)));
  }

  async function close(token: string): Promise<void> {
    const session = sessions.get(token)?.session;
    sessions.delete(token);
    await session?.close();
  }

  return {
    answer,
    async close() {
      isClosed = true;
      following?.unsubscribe();
      await Promise.all([...sessions.keys()].map(close));
    },
  };
}

function tokenIn(headers: Headers): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

const FAULTS: Readonly<Record<TokenFault, string>> = {
  no_token:
    "This request has no token of signalbox. Send `Authorization: Bearer TOKEN`, with the token that `signalbox launch --transport http` printed.",
  foreign: "This token belongs to another project. Use the token that was made in the folder of this one.",
  unknown:
    "Nothing is known of this token: it is wrong, or was removed. `signalbox launch --transport http` makes another one.",
};
