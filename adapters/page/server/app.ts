import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { z } from "zod";
import type { Access } from "./access.ts";
import type { ActDefinition } from "./acts/act.ts";
import { acts } from "./acts/index.ts";
import { roleForAct } from "./acts/roles.ts";
import type { Answered } from "./answers/answer.ts";
import { answers } from "./answers/index.ts";
import {
  ANSWER_PATH,
  describeIssues,
  type FleetWatch,
  faultsByField,
  inOurWords,
  isAtLeast,
  type LoopControl,
  type Project,
} from "./core.ts";
import { downloadLog } from "./download.ts";
import { sendEncoded } from "./encoding.ts";
import { guard, ownPage } from "./guard.ts";
import { identityRoutes } from "./identity-routes.ts";
import { loginRoutes } from "./login-routes.ts";
import { atMoment, type Moment, RequestAborted } from "./moment.ts";
import type { PageFiles } from "./page-files.ts";
import { type Past, StillReading } from "./past.ts";
import { problem, problemOf } from "./problem.ts";
import type { Known, LiveStreams } from "./stream.ts";
import type { VisitorVariables } from "./visitor.ts";

/** The parts of the panel's server. */
export interface AppParts {
  readonly project: Project;
  readonly past: Past;
  readonly live: LiveStreams;
  readonly access: Access;
  readonly files: PageFiles;
  readonly name?: string | undefined;
  readonly fleet?: FleetWatch | undefined;
  readonly loops: LoopControl;
  /** Takes answers to notices, each with a token of its own; absent: nobody does. */
  readonly notices?: ((request: Request) => Promise<Response>) | undefined;
  /** Answers agents at `/mcp`, who have tokens of their own; absent: nobody does. */
  readonly mcp?: ((request: Request, own: Access) => Promise<Response>) | undefined;
}

/** The panel's server: queries, actions, the live stream, and the page itself. */
export function createApp({
  project,
  past,
  live,
  access,
  files,
  name: ownName,
  fleet,
  loops,
  mcp,
  notices,
}: AppParts): Hono<Bound> {
  const app = new Hono<Bound>();
  if (mcp) app.all("/mcp", ({ req }) => mcp(req.raw, access));
  if (notices) {
    app.post(ANSWER_PATH, bodyLimit({ maxSize: BODY_LIMIT, onError: tooLarge }), ({ req }) =>
      notices(req.raw),
    );
    app.all(ANSWER_PATH, (context) => notAllowed(context, "POST"));
  }
  app.use(ownPage(access));
  if (access.logins) app.route("/", loginRoutes(access, access.logins));
  app.route("/", identityRoutes(access));
  app.use(guard(access));
  app.onError((error, context) => {
    // Not a failure: the client shows the progress and retries.
    if (error instanceof StillReading) return context.json({ reading: error.reading }, 202);
    if (error instanceof RequestAborted) return context.body(null, 204);
    if (isCutOff(error)) return problem(context, 400, "cut_off", "The request body was cut off.");
    return problemOf(context, error);
  });
  const limit = limitOpen();
  app.use("/api/stream", limit);
  app.use("/api/log.jsonl", limit);
  app.get("/api/stream", async (context) => {
    // Hono answers HEAD by GET and drops the body, which would leave the stream open.
    const type = { "Content-Type": "text/event-stream" };
    if (context.req.method === "HEAD") return context.body(null, 200, type);
    return context.body(await live.open(knownOf(context), context.var.look), 200, type);
  });
  app.get("/api/log.jsonl", (context) => downloadLog(context, project));
  for (const { name, query, answer, hasPast } of answers) {
    app.get(`/api/${name}`, compress({ encoding: "gzip" }), async (context) => {
      const { at, nearest, ...given } = context.req.query();
      const asked = query.safeParse(given, inOurWords);
      if (!asked.success) return problem(context, 400, "bad_query", describeIssues(asked.error, "query"));
      if (at !== undefined && !hasPast) {
        return problem(context, 400, "no_past", `${name} reads files as they are now: leave out \`at\`.`);
      }
      // `query` and `answer` come from one definition, so the types agree.
      const question = answer as (moment: Moment, asked: unknown) => unknown;
      const { signal } = context.req.raw;
      const moment = { at, isNearest: nearest !== undefined, signal };
      const begin_ms = performance.now();
      const { position, answer: told } = await atMoment(project, past, moment, (found) =>
        question(
          {
            ...found,
            name: ownName,
            visitor: context.var.visitor,
            fleet: fleet && (() => fleet.look(project.store)),
            // The past has no processes.
            loops: at === undefined ? loops : undefined,
          },
          asked.data,
        ),
      );
      const took_ms = Math.round(performance.now() - begin_ms);
      return context.json({ position, took_ms, answer: told } satisfies Answered<unknown>);
    });
  }
  for (const act of acts) {
    app.post(
      `/api/acts/${act.name}`,
      bodyLimit({ maxSize: BODY_LIMIT, onError: tooLarge }),
      async (context) => {
        if (!isJson(context)) {
          return problem(context, 415, "not_json", "Send the request body as application/json.");
        }
        const given = envelope.safeParse(await context.req.json().catch(() => undefined), inOurWords);
        if (!given.success) return problem(context, 400, "bad_request", describeIssues(given.error, "body"));
        const input = act.input.safeParse(given.data.input, inOurWords);
        if (!input.success) {
          const { error } = input;
          return problem(context, 400, "bad_input", describeIssues(error, "input"), faultsByField(error));
        }
        const { visitor } = context.var;
        const needed = await roleForAct(project, act.name, input.data);
        if (!isAtLeast(visitor.role, needed)) {
          const words = `${visitor.name} has the role ${visitor.role} here, and this needs ${needed}. Whoever owns the project can change it: people in .ralph/config.json.`;
          return problem(context, 403, "not_allowed", words);
        }
        // `input` and `perform` come from one definition, so the types agree.
        const perform = act.perform as ActDefinition<string, z.ZodObject>["perform"];
        return context.json(
          await perform({ project, loops, actor: visitor.name }, input.data, given.data.key),
        );
      },
    );
  }
  for (const { name } of acts) app.all(`/api/acts/${name}`, (context) => notAllowed(context, "POST"));
  for (const { name } of [...answers, { name: "stream" }]) {
    app.all(`/api/${name}`, (context) => notAllowed(context, "GET, HEAD"));
  }
  app.all("/api/*", (context) => problem(context, 404, "not_found", `There is no ${context.req.path}.`));
  app.get("*", (context) => servePage(context, files));
  app.all("*", (context) => notAllowed(context, "GET, HEAD"));
  return app;
}

/** Gives access to Node's own request and response. */
interface Bound extends VisitorVariables {
  readonly Bindings: HttpBindings;
}

/** Node throws this when a client disconnects while it sends the body. */
function isCutOff(error: Error): boolean {
  return "code" in error && error.code === "ECONNRESET";
}

/** What a reconnecting page says that it knows. */
function knownOf({ req }: Context): Known | undefined {
  const after = req.header("last-event-id") ?? req.query("after") ?? "";
  return /^\d{1,15}$/.test(after) ? { position: Number(after), leaf: req.query("leaf") } : undefined;
}

function notAllowed(context: Context, allowed: string): Response {
  context.header("Allow", allowed);
  return problem(context, 405, "not_allowed", `${context.req.path} accepts only ${allowed}.`);
}

/** The idempotency key is chosen by the page. */
const envelope = z.strictObject({ key: z.uuid(), input: z.unknown().optional() });

/** Forms of other sites cannot send this type without a preflight request. */
function isJson({ req }: Context): boolean {
  return req.header("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";
}

const BODY_LIMIT = 100_000;

function tooLarge(context: Context): Response {
  return problem(
    context,
    413,
    "too_large",
    `The request body is larger than ${BODY_LIMIT.toLocaleString("en")} bytes.`,
  );
}

/** Assets have content hashes in their names; every other path is a view of the page. */
function servePage(context: Context, files: PageFiles): Response {
  const { path } = context.req;
  const file = files.get(path);
  if (!file && path.startsWith("/assets/")) return context.text("There is no such file.\n", 404);
  const shown = file ?? files.get("/index.html");
  if (!shown) return context.text("The page was not built: run `npm run build`.\n", 500);
  if (file && path.startsWith("/assets/"))
    context.header("Cache-Control", "private, max-age=31536000, immutable");
  return sendEncoded(context, shown.body, shown.type);
}

/** A browser has one stream for all of its pages; without a secure origin one per page. */
const MOST_OPEN = 64;

/**
 * Limits the responses of one person that stay open as long as their reader likes: each holds memory and a socket. So nobody takes
 * those of others.
 */
function limitOpen(): MiddlewareHandler<{ Bindings: HttpBindings } & VisitorVariables> {
  const open = new Map<string, number>();
  return async (context, next) => {
    const { name, by } = context.var.visitor;
    const person = JSON.stringify([name, by === "address"]);
    const add = (change: 1 | -1) => open.set(person, (open.get(person) ?? 0) + change);
    if ((open.get(person) ?? 0) >= MOST_OPEN) return problem(context, 429, "too_many_connections", TOO_MANY);
    add(1);
    context.env.outgoing.once("close", () => add(-1));
    return next();
  };
}

const TOO_MANY = `You already have ${MOST_OPEN} open streams and downloads here. Close some pages or programs that follow the log, then try again.`;
