import { dirname } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { liveConfig } from "../config/live-config.ts";
import { signingKeyPath } from "../config/project-state.ts";
import { worktreesOf } from "../config/schema.ts";
import { secretOf } from "../config/secret.ts";
import { ralphFolderOf } from "../events/project-folder.ts";
import { readKeyFile } from "../replay/audit/key-file.ts";
import { baseBranch } from "../workspace/branches.ts";
import type { TrackerAdapter } from "./adapter.ts";
import { github } from "./github/github.ts";
import { gitlab } from "./gitlab/gitlab.ts";
import type { SyncOptions } from "./sync.ts";

export const trackerKinds = ["github", "gitlab"] as const;
const ADAPTERS = { github, gitlab };

/**
 * The tracker of a configuration, ready to be synced.
 *
 * @throws ConfigError: it has none of this kind, or its token is not there; GitError: there is no branch to merge into
 */
export async function openTracker(
  kind: (typeof trackerKinds)[number],
  config: Config,
  readModelPath: string,
): Promise<{ readonly adapter: TrackerAdapter; readonly options: SyncOptions }> {
  const settings = config[kind];
  if (!settings)
    throw new ConfigError(
      `.ralph/config.json has no "${kind}". Add it, as in "${kind}": {"repository": "acme/shop", "token": {"env": "${kind.toUpperCase()}_TOKEN"}} (docs/trackers.md).`,
    );
  const { repository, label, url } = settings;
  const adapter = ADAPTERS[kind]({
    repository,
    label,
    url,
    token: secretOf(settings.token, `${kind}.token`),
  });
  const live = liveConfig(readModelPath);
  const people = () => live().people;
  const folder = dirname(ralphFolderOf(readModelPath));
  const worktrees = worktreesOf(config);
  if (!settings.pull_requests) return { adapter, options: { readModelPath, people } };
  if (!worktrees)
    throw new ConfigError(
      `"${kind}.pull_requests" needs a branch for each task, and "worktrees" is false. Set "worktrees": true.`,
    );
  const base = await baseBranch(folder, worktrees.base);
  const signer = readKeyFile(signingKeyPath(readModelPath));
  return {
    adapter,
    options: {
      readModelPath,
      people,
      pullRequests: { folder, readModelPath, remote: settings.remote, base, signer },
    },
  };
}
