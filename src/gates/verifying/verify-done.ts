import { dirname } from "node:path";
import type { SignalReport } from "../../decisions/rules/signal-report.ts";
import { whatNext } from "../../decisions/rules/what-next.ts";
import { stateOf } from "../../decisions/state.ts";
import { UNPROVEN } from "../../events/types/gate-words.ts";
import { findingInWords, outsideInWords } from "../../events/types/work-words.ts";
import { isWorktree, sessionFolderIn } from "../../lib/project-folder.ts";
import { isRunnable } from "../../projections/board/gates.ts";
import { unprovenToAsk } from "../../projections/board/proven.ts";
import type { Gate } from "../../projections/board/tables.ts";
import { gatesProven } from "../../queries/gate-evidence.ts";
import { gateRunsOf } from "../../queries/gate-runs.ts";
import { catchUp } from "../../read-model/worker.ts";
import type { Finding } from "../../workspace/evidence/finding.ts";
import { GitError, tryGit } from "../../workspace/git.ts";
import { broughtWords, filesBrought } from "../../workspace/own-files.ts";
import type { GateRunner } from "../run-gates.ts";
import { type FoundAtDone, findAtDone } from "./found-at-done.ts";
import type { Verification } from "./verification.ts";
import { type GatesToVerify, verificationOf, verify } from "./verify.ts";
import { keepVerifiedIn } from "./verify-again.ts";

/** The answer to a done whose gates ran. */
export type VerifiedDone = SignalReport & Partial<Omit<Verification, "next">>;

/**
 * Runs a task's gates after a `done` of one of its sessions was recorded, and completes the agent's
 * answer. The session stays open. A pass on the current files counts; a repeated done is answered
 * from its first results.
 *
 * @param wanted its session is the one that said `done`
 * @throws the abort reason of `signal`, if nothing had begun
 */
export async function verifyDone(
  runner: GateRunner,
  recorded: SignalReport,
  wanted: GatesToVerify & { readonly session: string },
): Promise<VerifiedDone> {
  const { readModel, log } = runner.store;
  await catchUp(readModel, log);
  const { task, session } = wanted;
  const state = stateOf(readModel);
  const { open_session } = state.tasks.get(task) ?? {};
  const gates = state.gates.where({ task_id: task });
  // A late done settles nothing, so there is nothing to verify.
  if (open_session !== session) return recorded;
  const brought = await broughtBy(wanted);
  if (brought) return { ...recorded, next: `Recorded. ${brought} Then call done again.` };
  const { runFolder } = wanted;
  const found = await findAtDone(readModel, {
    ...wanted,
    runFolder: runFolder === undefined ? undefined : sessionFolderIn(runFolder, session),
  });
  const refused = found.leadingTo("refuse");
  if (refused.length > 0) return { ...recorded, next: refusal(refused) };
  if (gates.length === 0) return { ...recorded, next: whatDoneMeans(found) ?? recorded.next };
  const wasRun = gates.some((gate) =>
    gateRunsOf(readModel, { task, gate: gate.gate }).some(
      (run) => run.claim === recorded.position && run.state !== "interrupted",
    ),
  );
  keepVerifiedIn(wanted);
  const { next, ...verification } =
    wasRun || !gates.some(isRunnable)
      ? await verificationOf(runner, wanted)
      : await verify(runner, { ...wanted, gate: undefined, claim: recorded.position, keepPasses: true });
  if (stateOf(readModel).tasks.get(task)?.open_session !== session) {
    return { ...recorded, ...verification, next: "The session has ended in the meantime. Stop here." };
  }
  if (!verification.verified) {
    return {
      ...recorded,
      ...verification,
      next:
        `Recorded, but not verified; the session is still open. ${next} If a gate is neither passed nor ` +
        "skipped when the session ends, done counts as partial.",
    };
  }
  const unproven = unprovenToAsk(stateOf(readModel), task);
  const means = whatDoneMeans(found, unproven) ?? whatNext(stateOf(readModel), { task, session }, "done", {});
  const shown = evidenceOf(readModel, task);
  return {
    ...recorded,
    ...verification,
    next: `Verified: every gate is passed or skipped. ${shown.map((one) => `${one} `).join("")}${means}`,
  };
}

/** What is known of a task's passed gates, in a sentence for each. */
function evidenceOf(readModel: GateRunner["store"]["readModel"], task: number): string[] {
  const proven = gatesProven(readModel, stateOf(readModel).gates.where({ task_id: task }));
  return [...proven].flatMap(([gate, { evidence }]) =>
    evidence === "" ? [] : [`Gate ${gate}: ${evidence}.`],
  );
}

/** Said as of a gate that fails: the session is open, and its agent can mend it. */
function refusal(refused: readonly Finding[]): string {
  return (
    `Recorded, but it does not count; the session is still open. ${refused.map(findingInWords).join(" ")} Then call done ` +
    "again. If it is so when the session ends, done counts as partial."
  );
}

/** For what a human is asked, if there is something. */
function whatDoneMeans(found: FoundAtDone, unproven: readonly Gate[] = []): string | undefined {
  const asked = [
    ...found.leadingTo("ask").map(findingInWords),
    ...unproven.map(({ gate }) => `gate ${gate} ${UNPROVEN}.`),
    ...(found.outside.length > 0 ? [`it changed files ${outsideInWords(found.outside)}.`] : []),
  ];
  if (asked.length === 0) return undefined;
  return (
    `When the session ends, a human is asked to accept the work, for this reason: ${asked.join(" ")} If that ` +
    "is not as it should be, mend it and call done again; else end your work here."
  );
}

/** What the branch of a worktree brings into the project's `.ralph/`, in words; without git, nothing is merged. */
async function broughtBy({ folder, runFolder }: GatesToVerify): Promise<string | undefined> {
  const root = runFolder && dirname(dirname(runFolder));
  if (root === undefined || !isWorktree(folder)) return undefined;
  const [base, tip] = await Promise.all([root, folder].map((one) => tryGit(one, ["rev-parse", "HEAD"])));
  if (base === undefined || tip === undefined) return undefined;
  const brought = await filesBrought(root, { base: base.trim(), tip: tip.trim() }).catch(unlessGit);
  return brought && broughtWords(brought);
}

function unlessGit(error: unknown): undefined {
  if (!(error instanceof GitError)) throw error;
}
