import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TrackerAdapter } from "./adapter.ts";
import { fenced } from "./comment-text.ts";
import {
  branchOf,
  findTask,
  git,
  identity,
  kindsInWords,
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
  tryGit,
  visibleJson,
  workInWords,
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
 * Opens the pull request of a done task: the commit with which its session ended, and on top of it one with the proofs of its done, of
 * its gates' passes, of what its driver found and of its acceptance, each a file that `signalbox-verify` checks. The branch here stays
 * as it is.
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
  const { worked } = proof;
  const head = worked?.base != null ? worked.head : null;
  // What came after it was not verified (docs/decisions/0074).
  const verified =
    head === null || (await isVerified(project, task, place.folder, { head, tip })) ? tip : head;
  const commit = await withProofs(project, task, proof, verified, place);
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
    body: bodyOf(task, issue, { title, proof, moved: verified === tip ? null : tip }),
  });
  return opened.url;
}

/** Whether a branch's last commit is the verified one: it has its files, or is what the queue made of the branch when it landed. */
async function isVerified(
  project: Project,
  task: number,
  folder: string,
  { head, tip }: Readonly<Record<"head" | "tip", string>>,
): Promise<boolean> {
  const treeOf = (commit: string) => tryGit(folder, ["rev-parse", `${commit}^{tree}`]);
  if ((await treeOf(tip)) === (await treeOf(head))) return true;
  return (await project.queries.landings(task)).some(({ to }) => to === tip);
}

function bodyOf(
  task: number,
  issue: number,
  {
    title,
    proof: { gates, claimed, worked, accepted },
    moved,
  }: { readonly title: string; readonly proof: ProofOfDone; readonly moved: string | null },
): string {
  const seen = accepted && accepted.findings.length > 0 ? `, with ${kindsInWords(accepted.findings)}` : "";
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
      ...(worked ? [`| worked | found by its driver | ${worked.position} |`] : []),
      ...passed,
      ...(accepted ? [`| accepted | by a human${seen} | ${accepted.position} |`] : []),
    ].join("\n"),
    ...(worked
      ? ["Its driver found:", fenced(maskSecrets(workInWords(worked), secretValues(process.env)))]
      : []),
    ...(moved === null
      ? []
      : [`Its branch has moved to ${moved.slice(0, 12)} since: what came after the session is not in here.`]),
  ].join("\n\n");
}

/** Names of files come from agents. */
const cell = (text: string) =>
  maskSecrets(text.replace(/[|`@#<>[\]\\]/g, "$&\u200b"), secretValues(process.env));

const folderFor = (task: number) => `.signalbox/proofs/task-${task}`;

/** @returns a commit on top of another one that adds the proofs */
async function withProofs(
  project: Project,
  task: number,
  { claimed, worked, gates, accepted }: ProofOfDone,
  tip: string,
  { folder, readModelPath, signer }: PullRequestPlace,
): Promise<string> {
  const positions = [claimed, worked, ...gates, accepted].flatMap((one) => one?.position ?? []);
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
