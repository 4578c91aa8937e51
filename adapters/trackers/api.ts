import type { z } from "zod";
import { TrackerError } from "./adapter.ts";
import { describeIssues, errorMessage, inOurWords, shorten } from "./core.ts";

/** How a service's REST API is asked. */
export interface Api {
  /** One resource. @throws TrackerError */
  ask<Schema extends z.ZodType>(
    method: Method,
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<z.output<Schema>>;
  /** All pages of a list. @throws TrackerError */
  all<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>[]>;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** @param headers those of authentication and version. @param service its name, for errors */
export function createApi(base: string, headers: Readonly<Record<string, string>>, service: string): Api {
  const root = base.replace(/\/+$/, "");
  const origin = new URL(root).origin;

  async function request(method: Method, url: string, body?: object): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: {
          Accept: "application/json",
          "User-Agent": "signalbox",
          ...headers,
          ...(body && { "Content-Type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
        // The token must not follow a redirect.
        redirect: "manual",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
    } catch (cause) {
      const why = cause instanceof Error && cause.cause ? errorMessage(cause.cause) : errorMessage(cause);
      throw new TrackerError(`${service} did not answer: ${why}.`, { cause, retryAfter_ms: PAUSE_MS });
    }
    if (response.ok) return response;
    throw await failure(response, `${method} ${new URL(url).pathname}`, service);
  }

  return {
    async ask(method, path, schema, body) {
      return parsed(schema, await (await request(method, `${root}${path}`, body)).json(), path, service);
    },
    async all(path, schema) {
      const found: z.output<typeof schema>[] = [];
      let next: string | undefined = `${root}${path}${path.includes("?") ? "&" : "?"}per_page=100`;
      for (let page = 1; next !== undefined; page++) {
        if (page > MOST_PAGES)
          throw new TrackerError(
            `${service} has more than ${MOST_PAGES * 100} entries at ${path}; give fewer issues the label.`,
          );
        const response: Response = await request("GET", next);
        found.push(...parsed(schema.array(), await response.json(), path, service));
        next = nextPage(response.headers.get("link"));
        if (next !== undefined && new URL(next).origin !== origin)
          throw new TrackerError(
            `${service} says that the next page is at another host, ${new URL(next).host}. It was not asked.`,
          );
      }
      return found;
    },
  };
}

const PATIENCE_MS = 30_000;
const PAUSE_MS = 30_000;
const MOST_PAGES = 100;

/** RFC 8288. */
function nextPage(link: string | null): string | undefined {
  return link
    ?.split(",")
    .map((one) => /<([^>]+)>\s*;.*\brel="?next"?/.exec(one)?.[1])
    .find((url) => url !== undefined);
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
  service: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(value, inOurWords);
  if (error)
    throw new TrackerError(
      `${service} answered ${path} in an unknown form: ${describeIssues(error, "answer")}`,
    );
  return data;
}

/** GitHub: `{"message": "…"}`; GitLab: also `{"message": ["…"]}`, and `{"error_description": "…"}` beside an OAuth code. */
const MESSAGE = /"(?:message|error_description)"\s*:\s*\[?\s*"((?:[^"\\]|\\.){1,300})"/;

async function failure(response: Response, what: string, service: string): Promise<TrackerError> {
  const { status, headers } = response;
  const text = (await response.text().catch(() => "")).slice(0, 2_000);
  const told = shorten((MESSAGE.exec(text)?.[1] ?? "").replace(/\s+/g, " "), 200);
  const because = told === "" ? "" : ` (${told})`;
  const retryAfter_ms = waitOf(status, headers, told);
  if (status >= 300 && status < 400) {
    const to = URL.canParse(headers.get("location") ?? "")
      ? new URL(headers.get("location") ?? "").host
      : "another address";
    return new TrackerError(
      `${service} redirects ${what} to ${to}, which the token may not follow. Was the repository renamed? Name it anew in .ralph/config.json only if its issues may become new tasks: they are known by the name.`,
      { status },
    );
  }
  if (retryAfter_ms !== undefined)
    return new TrackerError(
      `${service} answered ${what} with ${status}${because}; it is asked again in ${Math.ceil(retryAfter_ms / 1_000)} s.`,
      { status, retryAfter_ms },
    );
  const right =
    status === 401
      ? " The token is not valid: give another one."
      : status === 403 || status === 404
        ? " Check the repository's name and what the token may do."
        : "";
  return new TrackerError(`${service} refused ${what} with ${status}${because}.${right}`, { status });
}

/** Of a rate limit or a failure of the server: when to ask again, in milliseconds; undefined: the request is at fault. */
function waitOf(status: number, headers: Headers, told: string): number | undefined {
  const after = Number(headers.get("retry-after") ?? Number.NaN);
  if ((status === 403 || status === 429 || status >= 500) && Number.isFinite(after))
    return limited(after * 1_000);
  const isSpent = (headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining")) === "0";
  if (status === 429 || (status === 403 && isSpent)) {
    const reset_s = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
    // By the server's own clock, which may differ from ours.
    const now_ms = Date.parse(headers.get("date") ?? "") || Date.now();
    return limited(Number.isFinite(reset_s) ? reset_s * 1_000 - now_ms : 60_000);
  }
  // A secondary limit may come without a header.
  if (status === 403 && /rate limit|abuse/i.test(told)) return 60_000;
  return status >= 500 ? PAUSE_MS : undefined;
}

const limited = (wait_ms: number) => Math.min(Math.max(wait_ms, 1_000), 3_600_000);
