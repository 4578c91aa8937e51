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
  const api = createApi(of.url, { "PRIVATE-TOKEN": of.token }, "GitLab");
  const at = `/projects/${encodeURIComponent(of.repository)}`;
  return {
    kind: "gitlab",
    repository: of.repository,
    async issues() {
      const label = encodeURIComponent(of.label);
      const listed = await api.all(
        `${at}/issues?scope=all&order_by=created_at&sort=asc&labels=${label}`,
        issue,
      );
      return listed.map((one) => ({
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
    async comments(number) {
      const listed = await api.all(`${at}/issues/${number}/notes?sort=asc&order_by=created_at`, note);
      return listed
        .filter(({ system }) => !system)
        .map(({ id, body, author: by, created_at, updated_at }) => ({
          id,
          body,
          author: by.username,
          isEdited: created_at !== updated_at,
        }));
    },
    async comment(number, body) {
      await api.ask("POST", `${at}/issues/${number}/notes`, note, { body });
    },
    async changeLabels(number, add, remove) {
      await api.ask("PUT", `${at}/issues/${number}`, issue, {
        add_labels: add,
        ...(remove.length > 0 && { remove_labels: remove.join(",") }),
      });
    },
    async pullRequest(branch) {
      const listed = await api.all(
        `${at}/merge_requests?state=all&source_branch=${encodeURIComponent(branch)}`,
        mergeRequest,
      );
      const found = listed.find(
        (one) =>
          one.source_project_id === one.target_project_id &&
          (one.state === "opened" || one.state === "merged"),
      );
      return found && { number: found.iid, url: found.web_url };
    },
    async openPullRequest({ branch, base, title, body }) {
      const opened = await api.ask("POST", `${at}/merge_requests`, mergeRequest, {
        source_branch: branch,
        target_branch: base,
        title,
        description: body,
      });
      return { number: opened.iid, url: opened.web_url };
    },
  };
}
