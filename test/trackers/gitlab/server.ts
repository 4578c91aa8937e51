import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Issue {
  readonly iid: number;
  title: string;
  description: string | null;
  state: "opened" | "closed";
  labels: string[];
  author: { username: string };
  readonly created_at: string;
  updated_at: string;
  readonly web_url: string;
}

interface Note {
  readonly id: number;
  body: string;
  readonly author: { username: string };
  readonly system: boolean;
  readonly created_at: string;
  updated_at: string;
}

interface MergeRequest {
  readonly iid: number;
  state: "opened" | "closed" | "locked" | "merged";
  readonly source_branch: string;
  readonly target_branch: string;
  readonly source_project_id: number;
  readonly target_project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly web_url: string;
}

interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const PROJECT = 8;
export const TOKEN = "glpat-of-the-test";

/**
 * A GitLab on this machine with one project, `acme/tools/shop`: the operations that the adapter uses, as GitLab documents
 * them, with the quick actions that it runs from whatever is written.
 */
export class GitLabServer {
  readonly issues: Issue[] = [];
  readonly labelled = new Map<number, { by: string; at: string; name: string; action: "add" | "remove" }[]>();
  readonly notes = new Map<number, Note[]>();
  readonly mergeRequests: MergeRequest[] = [];
  /** The quick actions that were run. */
  readonly ran: string[] = [];
  readonly requests: string[] = [];
  /** Answers the next requests instead, one each. */
  readonly instead: Answer[] = [];
  url = "";
  #clock = Date.parse("2026-11-26T03:00:00.000Z");

  issue(fields: Partial<Issue> = {}): Issue {
    const iid = this.issues.length + 1;
    const now = this.#now();
    const issue: Issue = {
      iid,
      title: `Issue ${iid}`,
      description: null,
      state: "opened",
      labels: ["signalbox"],
      author: { username: "ada" },
      created_at: now,
      updated_at: now,
      web_url: `https://gitlab.example/acme/tools/shop/-/issues/${iid}`,
      ...fields,
    };
    this.issues.push(issue);
    return issue;
  }

  /** An edit, which GitLab tells in notes of its own. */
  edit(issue: Issue, by: string, { title, description }: { title?: string; description?: string }): void {
    if (title !== undefined) {
      this.note(issue.iid, `changed title from **${issue.title}** to **${title}**`, { by, system: true });
      issue.title = title;
    }
    if (description !== undefined) {
      this.note(issue.iid, "changed the description", { by, system: true });
      issue.description = description;
    }
  }

  label(issue: Issue, by: string, action: "add" | "remove" = "add"): void {
    issue.updated_at = this.#now();
    const events = this.labelled.get(issue.iid) ?? [];
    this.labelled.set(issue.iid, [...events, { by, at: issue.updated_at, name: "signalbox", action }]);
  }

  note(issue: number, body: string, { by = "ada", system = false } = {}): Note {
    const now = this.#now();
    const notes = this.notes.get(issue) ?? [];
    const note = {
      id: 300 + this.#count(),
      body,
      author: { username: by },
      system,
      created_at: now,
      updated_at: now,
    };
    this.notes.set(issue, [...notes, note]);
    this.#find(issue).updated_at = now;
    return note;
  }

  /** What a person writes in a comment; GitLab keeps what its quick actions leave of it. */
  write(issue: number, by: string, body: string): void {
    const left = this.#runQuickActions(body);
    if (left !== "") this.note(issue, left, { by });
  }

  editNote(note: Note, body = note.body): void {
    note.body = body;
    note.updated_at = this.#now();
  }

  mergeRequest(fields: Partial<MergeRequest> = {}): MergeRequest {
    const iid = this.mergeRequests.length + 1;
    const request: MergeRequest = {
      iid,
      state: "opened",
      source_branch: "signalbox/task-1",
      target_branch: "main",
      source_project_id: PROJECT,
      target_project_id: PROJECT,
      title: "Title",
      description: null,
      web_url: `https://gitlab.example/acme/tools/shop/-/merge_requests/${iid}`,
      ...fields,
    };
    this.mergeRequests.push(request);
    return request;
  }

  answer(request: IncomingMessage, body: string): Answer {
    const { pathname, searchParams: query } = new URL(request.url ?? "", this.url);
    this.requests.push(`${request.method} ${pathname}`);
    const instead = this.instead.shift();
    if (instead) return instead;
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return failed(401, "401 Unauthorized");
    const [, project, path = ""] = /^\/api\/v4\/projects\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
    if (project !== "acme%2Ftools%2Fshop") return failed(404, "404 Project Not Found");
    const given = body === "" ? {} : JSON.parse(body);
    const iid = Number(/^issues\/(\d+)/.exec(path)?.[1]);
    switch (`${request.method} ${path.replace(/\d+/, "N")}`) {
      case "GET issues":
        return this.#page(
          this.#sorted(
            this.issues.filter((one) => isListed(one, query)),
            query,
          ),
          request,
          query,
        );
      case "GET issues/N/notes":
        return this.#page(this.#sorted(this.notes.get(iid) ?? [], query), request, query);
      case "GET issues/N/resource_label_events": {
        const events = (this.labelled.get(iid) ?? []).map(({ by, at, name, action }, id) => ({
          ...{ id, user: { username: by }, created_at: at, resource_type: "Issue", resource_id: iid, action },
          label: { id: 1, name },
        }));
        return this.#page(events, request, query);
      }
      case "POST issues/N/notes": {
        const left = this.#runQuickActions(given.body);
        if (left === "")
          return { status: 202, body: { commands_changes: {}, summary: ["Commands applied"] } };
        return { status: 201, body: this.note(iid, left, { by: "signalbox-bot" }) };
      }
      case "PUT issues/N":
        return { status: 200, body: this.#label(this.#find(iid), given) };
      case "GET merge_requests": {
        const branch = query.get("source_branch");
        return this.#page(
          this.mergeRequests.filter((one) => one.source_branch === branch).toReversed(),
          request,
          query,
        );
      }
      case "POST merge_requests": {
        const same = this.mergeRequests.find(
          (one) =>
            one.source_branch === given.source_branch &&
            one.state === "opened" &&
            one.source_project_id === PROJECT,
        );
        if (same)
          return failed(409, [
            `Another open merge request already exists for this source branch: !${same.iid}`,
          ]);
        return {
          status: 201,
          body: this.mergeRequest({ ...given, description: this.#runQuickActions(given.description) }),
        };
      }
    }
    return failed(404, "404 Not Found");
  }

  #find(iid: number): Issue {
    const found = this.issues.find((one) => one.iid === iid);
    if (!found) throw new Error(`there is no issue ${iid}`);
    return found;
  }

  /** Lists come newest first unless asked for otherwise. */
  #sorted<One extends { created_at: string }>(all: readonly One[], query: URLSearchParams): readonly One[] {
    return query.get("sort") === "asc" ? all : all.toReversed();
  }

  #page(all: readonly object[], request: IncomingMessage, query: URLSearchParams): Answer {
    const size = Math.min(Number(query.get("per_page") ?? 20), 100);
    const page = Number(query.get("page") ?? 1);
    const next = new URL(request.url ?? "", this.url);
    next.searchParams.set("page", String(page + 1));
    const isLast = page * size >= all.length;
    const first = `<${this.url}/api/v4/first>; rel="first"`;
    return {
      status: 200,
      body: all.slice((page - 1) * size, page * size),
      headers: { link: isLast ? first : `<${next}>; rel="next", ${first}` },
    };
  }

  #label(
    issue: Issue,
    { labels, add_labels, remove_labels }: Readonly<Record<string, string | undefined>>,
  ): Issue {
    const split = (names: string | undefined) => names?.split(",").filter((name) => name !== "") ?? [];
    const kept = labels === undefined ? issue.labels : split(labels);
    issue.labels = [...new Set([...kept, ...split(add_labels)])].filter(
      (name) => !split(remove_labels).includes(name),
    );
    issue.updated_at = this.#now();
    return issue;
  }

  /** As GitLab did before it parsed Markdown for them: a code block ends at its first line of three backticks. */
  #runQuickActions(written: string): string {
    return written
      .replaceAll("\r", "")
      .replace(
        /^```[\s\S]+?\n```$|^\/(?:close|reopen|approve|merge|label|assign)(?: [^\n]*)?(?:\s*\n|$)/gm,
        (found) => {
          if (found.startsWith("`")) return found;
          this.ran.push(found.trim());
          return "";
        },
      )
      .trimEnd();
  }

  #now(): string {
    this.#clock += 1_000;
    return new Date(this.#clock).toISOString();
  }

  #count(): number {
    return [...this.notes.values()].flat().length;
  }
}

const failed = (status: number, message: unknown): Answer => ({ status, body: { message } });

function isListed({ labels, state }: Issue, query: URLSearchParams): boolean {
  const wanted = query.get("labels")?.split(",") ?? [];
  return wanted.every((label) => labels.includes(label)) && [null, "all", state].includes(query.get("state"));
}

/** Closed after the test. */
export async function givenGitLab(): Promise<GitLabServer> {
  const gitlab = new GitLabServer();
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body, headers } = gitlab.answer(request, await text(request));
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body && JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server on a TCP port has an address of this type.
  gitlab.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gitlab;
}
