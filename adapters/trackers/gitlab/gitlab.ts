import { z } from "zod";
import type { TrackerAdapter } from "../adapter.ts";
import { createApi } from "../api.ts";

/** Of GitLab's REST API (v4) the fields that are used. */
const author = z.object({ username: z.string() });
const issue = z.object({
  iid: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  author,
  labels: z.array(z.string()),
  updated_at: z.string(),
  web_url: z.string(),
});
const note = z.object({
  id: z.int(),
  body: z.string(),
  author,
  system: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
const label = z.object({ name: z.string() }).nullish();
const labelEvent = z.object({ user: author.nullish(), created_at: z.string(), label, action: z.string() });
const mergeRequest = z.object({
  iid: z.int(),
  web_url: z.string(),
  state: z.string(),
  source_branch: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
});

/** GitLab. @param of as the configuration has it, with the token itself */
export function gitlab(of: {
  repository: string;
  label: string;
  url: string;
  token: string;
}): TrackerAdapter {
  // Taken of access tokens of each kind, and of OAuth.
  const api = createApi(of.url, { Authorization: `Bearer ${of.token}` }, "GitLab");
  const at = `/projects/${encodeURIComponent(of.repository)}`;
  const notesOf = (number: number) =>
    api.all(`${at}/issues/${number}/notes?sort=asc&order_by=created_at`, note);
  return {
    kind: "gitlab",
    // GitLab takes `/approve` and `/merge` for its own, and removes them from comments.
    command: "/signalbox ",
    repository: of.repository,
    async issues() {
      const label = encodeURIComponent(of.label);
      const listed = await api.all(
        `${at}/issues?scope=all&order_by=created_at&sort=asc&labels=${label}`,
        issue,
      );
      // Imported issues were created earlier than their numbers say.
      const inOrder = listed.toSorted((one, other) => one.iid - other.iid);
      return inOrder.map((one) => ({
        number: one.iid,
        title: one.title,
        body: one.description ?? "",
        isOpen: one.state === "opened",
        author: one.author.username,
        labels: one.labels,
        updated: one.updated_at,
        url: one.web_url,
      }));
    },
    async history({ number, author: by, updated }) {
      const notes = (await notesOf(number)).filter(({ system }) => system);
      const last = (words: RegExp) => {
        const found = notes.findLast(({ body }) => words.test(body));
        return found ? { by: found.author.username, at: Date.parse(found.created_at) } : { by, at: 0 };
      };
      const title = last(/^changed title/);
      // A box that is ticked changes the description, too.
      const body = last(/^(changed the description|marked the (checklist item|task))/);
      if (Math.max(title.at, body.at) > Date.parse(updated)) return undefined;
      const labels = await api.all(`${at}/issues/${number}/resource_label_events`, labelEvent);
      const labelled = labels.filter(({ label, action }) => action === "add" && label?.name === of.label);
      return {
        title,
        body,
        labelled: labelled.map((one) => ({ by: one.user?.username ?? "", at: Date.parse(one.created_at) })),
      };
    },
    async comments(number) {
      const listed = await notesOf(number);
      return listed
        .filter(({ system }) => !system)
        .map(({ id, body, author: by, created_at, updated_at }) => ({
          id,
          body,
          author: by.username,
          // A reaction also changes the time; GitLab's REST API does not tell the two apart.
          isEdited: created_at !== updated_at,
        }));
    },
    async comment(number, body) {
      await api.ask("POST", `${at}/issues/${number}/notes`, note, { body: withoutQuickActions(body) });
    },
    async changeLabels(number, add, remove) {
      await api.ask("PUT", `${at}/issues/${number}`, issue, {
        add_labels: add,
        ...(remove.length > 0 && { remove_labels: remove.join(",") }),
      });
    },
    async pullRequest(branch) {
      const named = `${at}/merge_requests?state=all&source_branch=${encodeURIComponent(branch)}`;
      const found = (await api.all(named, mergeRequest)).find(
        // A fork's branch may have the same name. While one is being merged, it is locked.
        (one) => one.source_project_id === one.target_project_id && one.state !== "closed",
      );
      return found && { number: found.iid, url: found.web_url };
    },
    async openPullRequest({ branch, base, title, body }) {
      const opened = await api.ask("POST", `${at}/merge_requests`, mergeRequest, {
        source_branch: branch,
        target_branch: base,
        title,
        description: withoutQuickActions(body),
      });
      return { number: opened.iid, url: opened.web_url };
    },
  };
}

/**
 * A text in which GitLab finds no quick action: a line such as `/close` gets a backslash, which Markdown does not show. Code blocks
 * are no protection, since some versions end them at any line of three backticks.
 */
function withoutQuickActions(text: string): string {
  // GitLab removes carriage returns before it looks.
  return text.replaceAll("\r", "").replace(/^([ \t]*)(?=\/[\w-]+(?:\s|$))/gm, "$1\\");
}
