import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Ajv } from "ajv";
import { onTestFinished } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/* A server on this machine that speaks the shapes of GitHub's API: what it answers and what it is sent are held to the published schemas. */

interface Operation {
  readonly status: string;
  readonly response: object;
  readonly body?: object;
}

const { paths, components } = asJsonSchema(
  JSON.parse(readFileSync(packagePath("fixtures/github/openapi.json"), "utf8")),
) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
};
const ajv = new Ajv({ strict: false, validateFormats: false });

const validators = new Map<object, ReturnType<typeof ajv.compile>>();

function hold(schema: object, value: unknown, what: string): void {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components });
  validators.set(schema, validate);
  if (!validate(value))
    throw new Error(`${what} is not as GitHub's schema has it: ${ajv.errorsText(validate.errors)}`);
}

/** OpenAPI 3.0 says `nullable` where JSON Schema has another type. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, asJsonSchema(inner)]),
  );
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest;
}

/** Who gives issues their label in a test that does not say who. */
const MAINTAINER = "ada-l";

export interface GivenIssue {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  user: string;
  labels: string[];
  updated: number;
  isPull?: boolean;
  /** Who gave it its first title and body is `user`. */
  renamed?: { by: string; at: number };
  edited?: { by: string; at: number };
  labelled: { by: string; at: number; label: string }[];
}

export interface GivenComment {
  readonly id: number;
  readonly issue: number;
  body: string;
  readonly user: string;
  readonly created: number;
  updated: number;
}

export interface GivenPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly branch: string;
  readonly base: string;
  readonly repository: string;
}

/** A repository on a GitHub of the test's own. */
export class GithubServer {
  readonly issues: GivenIssue[] = [];
  readonly comments: GivenComment[] = [];
  readonly pulls: GivenPull[] = [];
  /** What was asked, such as `GET /repos/acme/shop/issues`. */
  readonly asked: string[] = [];
  /** What went wrong in the server itself, such as a body that the schema refuses. */
  readonly faults: string[] = [];
  /** Answers the next requests instead; each is called once. */
  readonly instead: ((request: IncomingMessage, response: ServerResponse) => boolean)[] = [];
  url = "";
  #ids = 1_000;
  #time = Date.parse("2026-11-26T10:00:00Z");

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    });
    return this;
  }

  issue(given: Partial<GivenIssue> & { title: string }): GivenIssue {
    const issue: GivenIssue = {
      number: this.issues.length + 1,
      body: "",
      state: "open",
      user: "octo",
      labels: ["signalbox"],
      updated: this.now(),
      labelled: [{ by: MAINTAINER, at: this.now(), label: "signalbox" }],
      ...given,
    };
    this.issues.push(issue);
    return issue;
  }

  edit(issue: GivenIssue, by: string, { title, body }: { title?: string; body?: string }): void {
    const at = this.now();
    if (title !== undefined) Object.assign(issue, { title, renamed: { by, at } });
    if (body !== undefined) Object.assign(issue, { body, edited: { by, at } });
    issue.updated = at;
  }

  label(issue: GivenIssue, by: string, label = "signalbox"): void {
    issue.updated = this.now();
    issue.labelled.push({ by, at: issue.updated, label });
  }

  say(issue: number, user: string, body: string): GivenComment {
    const now = this.now();
    const comment = { id: ++this.#ids, issue, body, user, created: now, updated: now };
    this.comments.push(comment);
    const of = this.issues.find(({ number }) => number === issue);
    if (of) of.updated = now;
    return comment;
  }

  /** A second later each time. */
  now(): number {
    this.#time += 1_000;
    return this.#time;
  }

  saidBy(user: string): string[] {
    return this.comments.filter((one) => one.user === user).map(({ body }) => body);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    this.asked.push(`${request.method} ${url.pathname}`);
    let text = "";
    for await (const chunk of request) text += chunk;
    if (this.instead.shift()?.(request, response)) return;
    try {
      if (request.headers.authorization !== "Bearer t0ken")
        return send(response, 401, { message: "Bad credentials" });
      if (url.pathname === "/graphql") return send(response, 200, this.#historyOf(JSON.parse(text)));
      const found = this.#route(request.method ?? "", url, text === "" ? undefined : JSON.parse(text));
      if (!found) return send(response, 404, { message: "Not Found" });
      const operation = paths[found.path]?.[(request.method ?? "").toLowerCase()];
      if (!operation) throw new Error(`${found.path} is not in the fixture`);
      if (operation.body)
        hold(operation.body, JSON.parse(text), `the body of ${request.method} ${found.path}`);
      const per = Number(url.searchParams.get("per_page") ?? 30);
      const page = Number(url.searchParams.get("page") ?? 1);
      let value = found.value;
      if (Array.isArray(value) && request.method === "GET") {
        const all = value;
        value = all.slice((page - 1) * per, page * per);
        if (all.length > page * per) {
          url.searchParams.set("page", String(page + 1));
          response.setHeader("Link", `<${url}>; rel="next", <${url}>; rel="last"`);
        }
      }
      hold(operation.response, value, `the answer of ${request.method} ${found.path}`);
      send(response, Number(operation.status), value);
    } catch (error) {
      this.faults.push(String(error));
      send(response, 422, { message: String(error) });
    }
  }

  /** Of the GraphQL API what is asked of an issue: https://docs.github.com/graphql/reference/objects#issue */
  #historyOf({ query }: { readonly query: string }): object {
    const asked = /repository\(owner: "acme", name: "shop"\) \{ issue\(number: (\d+)\)/.exec(query)?.[1];
    const found = this.issues.find(({ number }) => number === Number(asked));
    const actor = (login: string) => (login.endsWith("[bot]") ? {} : { login });
    const act = ({ by, at, ...more }: { by: string; at: number }) => ({
      createdAt: new Date(at).toISOString().replace(".000", ""),
      actor: actor(by),
      ...more,
    });
    const issue = found && {
      ...{ title: found.title, body: found.body },
      lastEditedAt: found.edited ? act(found.edited).createdAt : null,
      editor: found.edited ? actor(found.edited.by) : null,
      renamed: { nodes: found.renamed ? [act(found.renamed)] : [] },
      labeled: { nodes: found.labelled.map(({ label: name, ...one }) => ({ ...act(one), label: { name } })) },
    };
    return { data: { repository: { issue: issue ?? null } } };
  }

  #route(method: string, url: URL, body: Record<string, unknown> | undefined) {
    const [, , , , list, number = "", of, name] = url.pathname.split("/");
    const issue = Number(number);
    if (list === "issues" && number === "") {
      const label = url.searchParams.get("labels");
      const shown = this.issues.filter(({ labels }) => label === null || labels.includes(label));
      return { path: "/repos/{owner}/{repo}/issues", value: shown.map((one) => this.#issueOf(one)) };
    }
    if (list === "issues" && of === "comments") {
      const path = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
      if (method === "POST")
        return { path, value: this.#commentOf(this.say(issue, "signalbox-bot", String(body?.body))) };
      return {
        path,
        value: this.comments.filter((one) => one.issue === issue).map((one) => this.#commentOf(one)),
      };
    }
    if (list === "issues" && of === "labels") {
      const found = this.issues.find((one) => one.number === issue);
      if (!found) return undefined;
      if (method === "POST") found.labels.push(...((body?.labels as string[]) ?? []));
      else found.labels = found.labels.filter((label) => label !== decodeURIComponent(name ?? ""));
      found.updated = this.now();
      const value = found.labels.map(labelOf);
      const path = "/repos/{owner}/{repo}/issues/{issue_number}/labels";
      return { path: method === "POST" ? path : `${path}/{name}`, value };
    }
    if (list === "pulls") {
      const path = "/repos/{owner}/{repo}/pulls";
      if (method === "GET") {
        const head = url.searchParams.get("head")?.split(":")[1];
        return {
          path,
          value: this.pulls.filter(({ branch }) => branch === head).map((one) => this.#pullOf(one)),
        };
      }
      const { title = "", body: words = "", head = "", base = "" } = body as Record<string, string>;
      const pull = {
        number: 100 + this.pulls.length,
        title,
        body: words,
        branch: head,
        base,
        repository: "acme/shop",
      };
      this.pulls.push(pull);
      return { path, value: this.#pullOf(pull) };
    }
    return undefined;
  }

  #issueOf({ number, title, body, state, user, labels, updated, isPull }: GivenIssue): object {
    const at = `${this.url}/repos/acme/shop/issues/${number}`;
    return {
      id: number,
      node_id: `I_${number}`,
      url: at,
      repository_url: `${this.url}/repos/acme/shop`,
      labels_url: `${at}/labels{/name}`,
      comments_url: `${at}/comments`,
      events_url: `${at}/events`,
      html_url: `https://github.example/acme/shop/issues/${number}`,
      number,
      state,
      title,
      body,
      user: userOf(user),
      labels: labels.map(labelOf),
      assignee: null,
      milestone: null,
      locked: false,
      comments: this.comments.filter((one) => one.issue === number).length,
      closed_at: null,
      created_at: new Date(updated).toISOString(),
      updated_at: new Date(updated).toISOString(),
      author_association: "NONE",
      ...(isPull && {
        pull_request: { url: at, diff_url: at, html_url: at, patch_url: at },
      }),
    };
  }

  #commentOf({ id, issue, body, user, created, updated }: GivenComment): object {
    const at = `${this.url}/repos/acme/shop/issues/comments/${id}`;
    return {
      id,
      node_id: `IC_${id}`,
      url: at,
      html_url: at,
      issue_url: `${this.url}/repos/acme/shop/issues/${issue}`,
      body,
      user: userOf(user),
      created_at: new Date(created).toISOString(),
      updated_at: new Date(updated).toISOString(),
      author_association: "NONE",
    };
  }

  #pullOf({ number, title, body, branch, base, repository }: GivenPull): object {
    const at = `${this.url}/repos/acme/shop/pulls/${number}`;
    const link = { href: at };
    const time = "2026-11-26T10:00:00Z";
    const side = (ref: string) => ({
      label: `acme:${ref}`,
      ref,
      sha: "0".repeat(40),
      user: userOf("acme"),
      repo: repositoryOf(repository),
    });
    return {
      ...{ url: at, id: number, node_id: `PR_${number}`, number, title, body, state: "open", locked: false },
      ...Object.fromEntries(
        [
          "html_url",
          "diff_url",
          "patch_url",
          "issue_url",
          "commits_url",
          "review_comments_url",
          "review_comment_url",
          "comments_url",
          "statuses_url",
        ].map((name) => [name, at]),
      ),
      ...{
        user: userOf("acme"),
        labels: [],
        milestone: null,
        created_at: time,
        updated_at: time,
        closed_at: null,
        merged_at: null,
        merge_commit_sha: null,
      },
      ...{
        assignee: null,
        assignees: [],
        requested_reviewers: [],
        requested_teams: [],
        head: side(branch),
        base: side(base),
      },
      _links: Object.fromEntries(
        ["comments", "commits", "statuses", "html", "issue", "review_comments", "review_comment", "self"].map(
          (name) => [name, link],
        ),
      ),
      ...{
        author_association: "OWNER",
        auto_merge: null,
        draft: false,
        merged: false,
        mergeable: null,
        rebaseable: null,
        mergeable_state: "unknown",
        merged_by: null,
      },
      ...{
        comments: 0,
        review_comments: 0,
        maintainer_can_modify: false,
        commits: 1,
        additions: 1,
        deletions: 0,
        changed_files: 1,
      },
    };
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(value));
}

const labelOf = (name: string) => ({
  id: 1,
  node_id: "L",
  url: "https://github.example",
  name,
  description: null,
  color: "ededed",
  default: false,
});

function userOf(login: string): object {
  const names = [
    "avatar_url",
    "gravatar_id",
    "url",
    "html_url",
    "followers_url",
    "following_url",
    "gists_url",
    "starred_url",
    "subscriptions_url",
    "organizations_url",
    "repos_url",
    "events_url",
    "received_events_url",
  ];
  return {
    login,
    id: 1,
    node_id: "U",
    type: "User",
    site_admin: false,
    ...Object.fromEntries(names.map((name) => [name, "https://github.example"])),
  };
}

/** What a schema of a repository asks for, from that itself. */
function repositoryOf(full_name: string): object {
  const { components: all } = { components } as {
    components: {
      schemas: Record<
        string,
        {
          required?: string[];
          properties?: Record<string, { type?: string | string[]; anyOf?: { type?: string }[] }>;
        }
      >;
    };
  };
  const { required = [], properties = {} } = all.schemas.repository ?? {};
  const filler: Record<string, unknown> = {
    string: "https://github.example",
    integer: 1,
    boolean: false,
    array: [],
    object: {},
  };
  const fill = (name: string) => {
    const { type = properties[name]?.anyOf?.[0]?.type } = properties[name] ?? {};
    return filler[(Array.isArray(type) ? type[0] : type) ?? "object"];
  };
  return {
    ...Object.fromEntries(required.map((name) => [name, fill(name)])),
    owner: userOf("acme"),
    license: null,
    full_name,
    name: full_name.split("/")[1],
  };
}
