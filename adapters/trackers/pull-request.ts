import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TrackerAdapter } from "./adapter.ts";
import { fenced } from "./comment-text.ts";
import {
  branchOf,
  findTask,
  git,
  identity,
  makePrivateFolder,
  maskSecrets,
  type NoteSigner,
  type Project,
  type ProofOfDone,
  proofOfDone,
  prove,
  ralphFolderOf,
  secretValues,
  tipOf,
  toIsoTime,
  visibleJson,
} from "./core.ts";

/** Where a pull request comes from and goes to. */
export interface PullRequestPlace {
  /** The repository's folder. */
  readonly folder: string;
  readonly readModelPath: string;
  readonly remote: string;
  /** The branch to merge into. */
  readonly base: string;
  /** Signs the tree heads of the proofs; undefined: they are not signed. */
  readonly signer: NoteSigner | undefined;
}

/**
 * Opens the pull request of a done task: its branch, and on top of it a commit with the proofs of its done and of its gates' passes,
 * each a file that `signalbox-verify` checks. The branch here stays as it is.
 *
 * @returns its address; undefined: there is no branch, or nobody has proven anything
 * @throws TrackerError; GitError: it cannot be pushed
 */
export async function openPullRequest(
  project: Project,
  adapter: TrackerAdapter,
  { task, issue }: { readonly task: number; readonly issue: number },
  place: PullRequestPlace,
): Promise<string | undefined> {
  const branch = branchOf(task);
  const tip = await tipOf(place.folder, branch);
  const { row, proof } = await project.ask((tables) => {
    const row = findTask(tables, task);
    return { row, proof: row ? proofOfDone(tables, row) : null };
  });
  if (tip === undefined || !row || !proof?.claimed) return undefined;
  const commit = await withProofs(project, task, proof, tip, place);
  // The branch is ours: an earlier try may have pushed another proof.
  await git(place.folder, ["push", "--quiet", "--force", place.remote, `${commit}:refs/heads/${branch}`], {
    environment: pushVariables(process.env),
  });
  const found = await adapter.pullRequest(branch);
  if (found) return found.url;
  const title = maskSecrets(row.title, secretValues(process.env));
  const opened = await adapter.openPullRequest({
    branch,
    base: place.base,
    title: `Task ${task}: ${title.replace(/[@#]/g, "$&\u200b")}`,
    body: bodyOf(task, issue, title, proof),
  });
  return opened.url;
}

function bodyOf(task: number, issue: number, title: string, { gates, claimed }: ProofOfDone): string {
  const passed = gates.map(
    ({ gate, state, position, evidence }) =>
      `| gate ${gate} | ${evidence === "" ? state : `${state}; ${cell(evidence)}`} | ${position ?? ""} |`,
  );
  return [
    `Task ${task}, of issue #${issue}:`,
    fenced(title),
    `The last commit adds ${folderFor(task)}/ with a proof for each position. \`signalbox-verify FILE\` checks one.`,
    [
      "| what | state | position in the log |",
      "|---|---|---|",
      `| done | claimed | ${claimed?.position ?? ""} |`,
      ...passed,
    ].join("\n"),
  ].join("\n\n");
}

/** Names of files come from agents. */
const cell = (text: string) =>
  maskSecrets(text.replace(/[|`@#<>[\]\\]/g, "$&\u200b"), secretValues(process.env));

const folderFor = (task: number) => `.signalbox/proofs/task-${task}`;

/** @returns a commit on top of the branch's tip that adds the proofs */
async function withProofs(
  project: Project,
  task: number,
  { claimed, gates }: ProofOfDone,
  tip: string,
  { folder, readModelPath, signer }: PullRequestPlace,
): Promise<string> {
  const positions = [claimed?.position, ...gates.map(({ position }) => position)].filter(
    (one) => typeof one === "number",
  );
  const scratch = join(ralphFolderOf(readModelPath), "trackers");
  makePrivateFolder(scratch);
  const index = join(scratch, `index-${process.pid}-${task}`);
  const environment = { GIT_INDEX_FILE: index };
  try {
    await git(folder, ["read-tree", tip], { environment });
    for (const position of new Set(positions)) {
      const whole = await prove(project.log, position, { signer });
      const text = visibleJson(whole, 2);
      // A secret must not be published; its hash proves the same.
      const proof =
        maskSecrets(text, secretValues(process.env)) === text
          ? whole
          : await prove(project.log, position, { signer, withhold: true });
      const blob = (
        await git(folder, ["hash-object", "-w", "--stdin"], { input: `${visibleJson(proof, 2)}\n` })
      ).trim();
      await git(
        folder,
        ["update-index", "--add", "--cacheinfo", `100644,${blob},${folderFor(task)}/${position}.proof`],
        { environment },
      );
    }
    const tree = (await git(folder, ["write-tree"], { environment })).trim();
    const time = toIsoTime(project.store.environment.now());
    const who = await identity(folder);
    return (
      await git(folder, ["commit-tree", tree, "-p", tip, "-m", `Add the proofs of task ${task}`], {
        environment: { ...who, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time },
      })
    ).trim();
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true });
  }
}

/** What git needs to log in at a remote, by a key of an agent; it never asks. */
function pushVariables({ SSH_AUTH_SOCK }: NodeJS.ProcessEnv): Record<string, string> {
  return { GIT_TERMINAL_PROMPT: "0", ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }) };
}
