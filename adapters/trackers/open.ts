import { dirname } from "node:path";
import type { TrackerAdapter } from "./adapter.ts";
import type { TrackerKind } from "./core.ts";
import {
  baseBranch,
  type Config,
  ConfigError,
  liveConfig,
  ralphFolderOf,
  readKeyFile,
  secretOf,
  signingKeyPath,
  worktreesOf,
} from "./core.ts";
import { github } from "./github/github.ts";
import { gitlab } from "./gitlab/gitlab.ts";
import type { SyncOptions } from "./sync.ts";

const ADAPTERS: Readonly<Record<TrackerKind, typeof github>> = { github, gitlab };

/**
 * The tracker of a configuration, ready to be synced.
 *
 * @throws ConfigError: it has none of this kind, or its token is not there; GitError: there is no branch to merge into
 */
export async function openTracker(
  kind: TrackerKind,
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
