import { z } from "zod";
import type { TrackerAdapter } from "../adapter.ts";
import { createApi } from "../api.ts";
import { foldAscii } from "../core.ts";

/** Of GitHub's REST API (2022-11-28) the fields that are used. */
const user = z.object({ login: z.string() }).nullable();
const issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  user,
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  updated_at: z.string(),
  html_url: z.string(),
  pull_request: z.unknown().optional(),
});
const comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user,
  created_at: z.string(),
  updated_at: z.string(),
});
/** Of its GraphQL API, which alone tells who edited a body: a program has no `login`. */
const account = z.object({ login: z.string().optional() }).nullable();
const label = z.object({ name: z.string() }).optional();
const acts = z.object({ nodes: z.array(z.object({ createdAt: z.string(), actor: account, label })) });
const text = z.string();
const edits = z.object({
  title: text,
  body: text,
  lastEditedAt: text.nullable(),
  editor: account,
  renamed: acts,
  labeled: acts,
});
const answer = z.object({ data: z.object({ repository: z.object({ issue: edits }) }) });
const BY = "actor { ...on User { login } } createdAt";
const editsQuery = (...[owner, name, number]: readonly (string | number | undefined)[]) => `{
  repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}) { issue(number: ${number}) {
    title body lastEditedAt editor { ...on User { login } }
    renamed: timelineItems(itemTypes: [RENAMED_TITLE_EVENT], last: 1) {
      nodes { ...on RenamedTitleEvent { ${BY} } } }
    labeled: timelineItems(itemTypes: [LABELED_EVENT], last: 100) {
      nodes { ...on LabeledEvent { ${BY} label { name } } } }
  } } }`;
const pull = z.object({
  number: z.int(),
  html_url: z.string(),
  state: z.string(),
  merged_at: z.string().nullish(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
});

/** GitHub, or a GitHub Enterprise Server. @param of as the configuration has it, with the token itself */
export function github(of: {
  repository: string;
  label: string;
  url: string;
  token: string;
}): TrackerAdapter {
  const headers = {
    Accept: "application/vnd.github+json",
    Authorization: `Bearer ${of.token}`,
    "X-GitHub-Api-Version": "2022-11-28",
  };
  const api = createApi(of.url, headers, "GitHub");
  // Of a GitHub Enterprise Server beside `/api/v3`.
  const graphql = createApi(of.url.replace(/\/v3\/*$/, ""), headers, "GitHub");
  const at = `/repos/${of.repository}`;
  return {
    kind: "github",
    command: "/",
    repository: of.repository,
    async issues() {
      const label = encodeURIComponent(of.label);
      const listed = await api.all(
        `${at}/issues?state=all&sort=created&direction=asc&labels=${label}`,
        issue,
      );
      return listed
        .filter((one) => one.pull_request === undefined || one.pull_request === null)
        .map((one) => ({
          number: one.number,
          title: one.title,
          body: one.body ?? "",
          isOpen: one.state === "open",
          author: one.user?.login ?? "ghost",
          labels: one.labels.flatMap((each) => (typeof each === "string" ? each : (each.name ?? []))),
          updated: one.updated_at,
          url: one.html_url,
        }));
    },
    async history(issue) {
      const query = editsQuery(...of.repository.split("/"), issue.number);
      const { issue: found } = (await graphql.ask("POST", "/graphql", answer, { query })).data.repository;
      const { lastEditedAt, editor, renamed, labeled } = found;
      if (found.title !== issue.title || found.body !== issue.body) return undefined;
      const act = (by: z.output<typeof account>, at: string) => ({ by: by?.login ?? "", at: Date.parse(at) });
      const acted = ({ actor, createdAt }: (typeof renamed.nodes)[number]) => act(actor, createdAt);
      // GitHub takes labels in any case.
      const isLabel = (one: string | undefined) => one?.toLowerCase() === of.label.toLowerCase();
      const written = { by: issue.author, at: 0 };
      return {
        title: renamed.nodes.map(acted)[0] ?? written,
        body: lastEditedAt === null ? written : act(editor, lastEditedAt),
        labelled: labeled.nodes.filter((one) => isLabel(one.label?.name)).map(acted),
      };
    },
    async comments(number) {
      const listed = await api.all(`${at}/issues/${number}/comments`, comment);
      return listed.map(({ id, body, user: by, created_at, updated_at }) => ({
        id,
        body: body ?? "",
        author: by?.login ?? "ghost",
        isEdited: created_at !== updated_at,
      }));
    },
    async comment(number, body) {
      await api.ask("POST", `${at}/issues/${number}/comments`, comment, { body });
    },
    async changeLabels(number, add, remove) {
      await api.ask("POST", `${at}/issues/${number}/labels`, z.array(z.unknown()), { labels: [add] });
      for (const label of remove)
        await api.ask(
          "DELETE",
          `${at}/issues/${number}/labels/${encodeURIComponent(label)}`,
          z.array(z.unknown()),
        );
    },
    async pullRequest(branch) {
      const [owner = ""] = of.repository.split("/");
      const head = encodeURIComponent(`${owner}:${branch}`);
      const found = (await api.all(`${at}/pulls?state=all&head=${head}`, pull)).find(
        // A fork's branch may have the same name.
        ({ head: { ref, repo }, state, merged_at }) =>
          ref === branch &&
          foldAscii(repo?.full_name ?? "") === foldAscii(of.repository) &&
          (state === "open" || merged_at),
      );
      return found && { number: found.number, url: found.html_url };
    },
    async openPullRequest({ branch, base, title, body }) {
      const opened = await api.ask("POST", `${at}/pulls`, pull, { head: branch, base, title, body });
      return { number: opened.number, url: opened.html_url };
    },
  };
}
