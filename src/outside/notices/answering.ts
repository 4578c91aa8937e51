import { z } from "zod";
import type { Project } from "../../api/project.ts";
import { ConfigError } from "../../config/config.ts";
import { liveConfig } from "../../config/live-config.ts";
import type { ChannelSettings } from "../../config/notice-settings.ts";
import { decide } from "../../decisions/decide.ts";
import { LogError } from "../../lib/log-error.ts";
import { ToldError } from "../../lib/told-error.ts";
import { describeIssues, inOurWords } from "../../lib/wrong-values.ts";
import { actOnItem, actsOn } from "../../operations/inbox-acts.ts";
import { findInInbox } from "../../queries/inbox.ts";
import { findPerson, personOf } from "../people/people.ts";
import { isAtLeast, roleForItem } from "../people/roles.ts";
import type { ChannelAct } from "./channel.ts";
import { answerTokens } from "./token.ts";

/** What came of an act, as an HTTP status and a sentence for the person. */
interface Answered {
  readonly status: 200 | 400 | 403 | 404 | 409 | 410 | 415 | 503;
  readonly message: string;
}

/** Does what people answer to notices. */
export interface Answering {
  /** An act that came over HTTP as JSON: `{ token, act, text? }`; the caller limits the body. */
  overHttp(request: Request): Promise<Response>;
  /** An act that came back on a channel. @returns what to tell the person */
  onChannel(act: ChannelAct, kind: ChannelSettings["kind"]): Promise<string>;
}

export function answering(project: Project, readModelPath: string): Answering {
  const config = liveConfig(readModelPath);
  const tokens = answerTokens(readModelPath);

  /**
   * @param program what carried the act here: the channel's kind, or `http`
   * @param by who acts, as the channel knows them
   */
  async function answer(
    { token, act, text }: z.infer<typeof body>,
    program: string,
    by?: string,
  ): Promise<Answered> {
    const right = tokens.read(token);
    if (!right) return forbidden("This token was not made here, or was changed.");
    const { person = by, ...item } = right;
    if (person === undefined)
      return forbidden("This token is for an account of the channel that it was sent to.");
    if (actsOn(item).some(({ label, needsOpen }) => label === act && needsOpen)) {
      return {
        status: 409,
        message: `To ${act} it, open it in the panel: it must be seen whole. Nothing was recorded.`,
      };
    }
    const role = findPerson(config().people, person)?.role;
    const needed = roleForItem(item.kind);
    if (role === undefined) return forbidden(`${person} is not among the people of this project any more.`);
    if (!isAtLeast(role, needed)) return forbidden(`${person} has the role ${role}; this needs ${needed}.`);
    const waits = () => project.ask((tables) => findInInbox(tables, item) !== undefined);
    // A person acts once by notices on an item: what is sent again is answered as before, anything else is refused.
    const key = `notice ${item.kind} ${item.id} ${person}`;
    try {
      await decide(project.store, actOnItem({ ...item, act, ...(text !== undefined && { text }) }), {
        actor: person,
        via: { channel: "notice", program },
        key,
      });
    } catch (error) {
      return refused(error, await waits());
    }
    if (await waits())
      return {
        status: 409,
        message: "This token was used before, and the item waits again. Open the page to act once more.",
      };
    return { status: 200, message: `Recorded as ${person}'s: ${act}.` };
  }

  return {
    async overHttp(request) {
      const { status, message } = await read(request).catch(unusable);
      return Response.json({ message }, { status, headers: { "Cache-Control": "no-store" } });
    },
    async onChannel({ account, token, act, text }, kind) {
      const person = kind === "slack" ? personOf(config().people, kind, account) : undefined;
      if (person === undefined)
        return `Nobody among the people of this project has this account (${account}). Nothing was recorded.`;
      const right = tokens.read(token);
      if (right?.person !== undefined && right.person !== person)
        return "This token is another person's. Nothing was recorded.";
      return (await answer({ token, act, text }, kind, person)).message;
    },
  };

  async function read(request: Request): Promise<Answered> {
    if (request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() !== "application/json")
      return { status: 415, message: "Send the answer as application/json. Nothing was recorded." };
    const text = await request.text();
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { status: 400, message: "The answer is not JSON. Nothing was recorded." };
    }
    const given = body.safeParse(value, inOurWords);
    if (!given.success)
      return { status: 400, message: `${describeIssues(given.error, "answer")} Nothing was recorded.` };
    return answer(given.data, "http");
  }
}

const body = z.strictObject({
  token: z.string().max(4_000),
  act: z.string().max(40),
  text: z.string().max(20_000).optional(),
});

/** Nobody knows who may act while the configuration cannot be used. */
function unusable(error: unknown): Answered {
  if (!(error instanceof ConfigError)) throw error;
  return { status: 503, message: `${error.message} Nothing was recorded.` };
}

function refused(error: unknown, isWaiting: boolean): Answered {
  if (error instanceof LogError && error.code === "id_conflict")
    return {
      status: 409,
      message: "This token was used before, for something else. Nothing more was recorded.",
    };
  if (!(error instanceof ToldError)) throw error;
  if (error.fault === "unusable")
    return { status: 503, message: `${error.message} Nothing was recorded; try again later.` };
  if (!isWaiting)
    return { status: 410, message: `This was settled meanwhile: ${error.message} Nothing was recorded.` };
  return { status: 409, message: `${error.message} Nothing was recorded.` };
}

function forbidden(why: string): Answered {
  return { status: 403, message: `${why} Nothing was recorded.` };
}
