import { stateOf } from "../../decisions/state.ts";
import type { Consequence } from "../../events/types/policies.ts";
import { consequenceOf } from "../../projections/board/evidence.ts";
import { policyValue } from "../../projections/board/policies.ts";
import { explainedSince } from "../../queries/explained.ts";
import { isAlone } from "../../queries/find-sessions.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import type { Beginning } from "../../workspace/evidence/beginning.ts";
import type { Finding } from "../../workspace/evidence/finding.ts";
import type { Explain } from "../../workspace/evidence/outside.ts";
import { type Work, workSince } from "../../workspace/evidence/work.ts";
import { sessionCommits } from "../../workspace/session-commits.ts";
import { scratchIn, withWorkspace } from "../../workspace/workspace.ts";

/** What is found in the workspace of a session that has just said done, while its agent can still mend it. */
export interface FoundAtDone {
  /** Those from which this would follow if the session ended now (docs/rules.md, Evidence). */
  leadingTo(consequence: Consequence): readonly Finding[];
  /** The files outside what its task says that it makes, if a human would be asked about them. */
  readonly outside: readonly string[];
}

/**
 * Compares the workspace with what its driver kept when the agent started. Where nothing was kept, or git cannot tell, nothing is
 * found: the driver looks again at the session's end.
 *
 * @param of `runFolder` is that of the session's run
 */
export async function findAtDone(
  readModel: ReadModel,
  of: {
    readonly task: number;
    readonly session: string;
    readonly folder: string;
    readonly runFolder: string | undefined;
  },
): Promise<FoundAtDone> {
  const commits = of.runFolder === undefined ? undefined : sessionCommits(of.runFolder);
  // Of a session that no loop runs another one may have done it.
  const isIts =
    commits?.folder === undefined || (commits.folder === of.folder && isAlone(readModel, of.session));
  const work =
    of.runFolder !== undefined && commits?.began && isIts
      ? await workIn(of.folder, of.runFolder, commits.began, async () =>
          explainedSince(readModel, of.session),
        )
      : undefined;
  const { findings = [], outside = [] } = work ?? {};
  const session = { id: of.session, task_id: of.task };
  return {
    leadingTo: (consequence) =>
      findings.filter(({ kind }) => consequenceOf(stateOf(readModel), session, kind) === consequence),
    outside: policyValue(stateOf(readModel), "artifacts.outside") === "ask" ? outside : [],
  };
}

/** In a scratch folder of its own, since its driver may look there at the same time. */
async function workIn(
  folder: string,
  runFolder: string,
  began: Beginning,
  explained: Explain,
): Promise<Work | undefined> {
  try {
    return await withWorkspace(folder, { also: scratchIn(runFolder) }, (workspace) =>
      workSince(began, workspace, { explained }),
    );
  } catch {
    // Whatever its agent made of its repository, it is answered.
    return undefined;
  }
}
