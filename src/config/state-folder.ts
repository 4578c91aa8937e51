import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { isIn } from "../lib/is-in.ts";

/** Names the folder of what is kept outside of every project; without it the XDG base directories do. */
export const STATE_VARIABLE = "SIGNALBOX_STATE";

/** Where a user's own state is kept, or why there is no such place. */
export type StateFolder = { readonly folder: string } | { readonly problem: string };

/**
 * The folder in which this user's state is kept: `$SIGNALBOX_STATE`, else `$XDG_STATE_HOME/signalbox`, else
 * `~/.local/state/signalbox`. It never lies in the project, since git could bring what is in there.
 *
 * @param project the project's folder, which must exist
 */
export function stateFolder(project: string, env: NodeJS.ProcessEnv): StateFolder {
  const named = env[STATE_VARIABLE];
  if (named && !isAbsolute(named))
    return { problem: `${STATE_VARIABLE} is ${JSON.stringify(named)}. Set it to an absolute path.` };
  const folder = named || folderOfUser(env);
  if (folder === undefined)
    return { problem: `HOME is not set. Set it, or set ${STATE_VARIABLE} to a folder of your own.` };
  if (!isIn(realpathSync(project), realPathOf(folder))) return { folder };
  return { problem: `${folder} is inside the project. Set ${STATE_VARIABLE} to a folder outside.` };
}

/** What tells another process of the same state, where its variables are chosen for it; `HOME` is left to it as a rule. */
export function stateVariables(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const folder = env[STATE_VARIABLE] || (env.XDG_STATE_HOME && folderOfUser(env));
  return folder ? { [STATE_VARIABLE]: folder } : {};
}

function folderOfUser({ XDG_STATE_HOME: state, HOME: home }: NodeJS.ProcessEnv): string | undefined {
  // The specification of the base directories has relative paths ignored.
  if (state && isAbsolute(state)) return join(state, "signalbox");
  return home && isAbsolute(home) ? join(home, ".local", "state", "signalbox") : undefined;
}

/** The path without symbolic links, also where its end does not exist yet. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), relative(parent, path));
}
