import { z } from "zod";
import { line, name } from "../events/types/fields.ts";
import { secretSource } from "./secret-source.ts";

/** The issue trackers that a project can be kept in step with. */
export const trackerKinds = ["github", "gitlab"] as const;
export type TrackerKind = (typeof trackerKinds)[number];

/** An API's address: plain HTTP only on this machine, since the token is sent there. */
const apiUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => /^https:|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/.test(url), {
    error: "must begin with https://; plain http is for this machine only",
  });

/** How a project is kept in step with an issue tracker (docs/trackers.md). */
function tracker(api: string, repository: z.ZodType<string, string>) {
  return z
    .strictObject({
      repository: repository.describe("The repository whose issues become tasks."),
      label: name.default("signalbox").describe("Issues with this label become tasks."),
      token: secretSource.describe(
        "A token that may read and write issues, and, for pull requests, contents.",
      ),
      url: apiUrl.default(api).describe("The API's address."),
      every_s: z
        .int()
        .min(10)
        .max(24 * 3_600)
        .default(60)
        .describe("How often signalbox run syncs at most, in seconds."),
      pull_requests: z
        .boolean()
        .default(false)
        .describe(
          "Pushes the branch of a done task with its proof, and opens a pull request. Needs worktrees.",
        ),
      remote: name.default("origin").describe("The git remote to push to."),
    })
    .optional();
}

const segment = "[A-Za-z0-9_.-]{1,100}";

export const githubSettings = tracker(
  "https://api.github.com",
  z.string().regex(new RegExp(`^${segment}/${segment}$`), { error: 'must be OWNER/NAME, as in "acme/shop"' }),
).describe("Keeps tasks in step with a repository's issues on GitHub.");

export const gitlabSettings = tracker(
  "https://gitlab.com/api/v4",
  line.regex(new RegExp(`^${segment}(/${segment})+$`), { error: 'must be GROUP/NAME, as in "acme/shop"' }),
).describe("The same with GitLab.");
