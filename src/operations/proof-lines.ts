import { kindsInWords, workInWords } from "../events/types/work-words.ts";
import { pc, quoteLine } from "../lib/terminal/output.ts";
import type { ProofOfDone } from "../queries/proof-of-done.ts";

/** The proof of a session's work for people, one line each: claimed, worked, verified, accepted. */
export function proofLines({
  session,
  claimed,
  worked,
  accept,
  accepted,
  ...verification
}: ProofOfDone): string[] {
  const by = `session ${quoteLine(session, 60)}`;
  const claim = claimed ? `done, by ${by} (#${claimed.position})` : `no: ${by} has not closed with done`;
  const found = accepted && accepted.findings.length > 0 ? `, with ${kindsInWords(accepted.findings)}` : "";
  const acceptance = accepted
    ? `by ${quoteLine(accepted.by, 40)} on ${accepted.created.slice(0, 19)} (#${accepted.position})${found}`
    : "not yet";
  return [
    `${pc.dim("claimed ")}  ${claim}`,
    ...(worked
      ? [`${pc.dim("worked  ")}  ${quoteLine(workInWords(worked), 1_000)} (#${worked.position})`]
      : []),
    `${pc.dim("verified")}  ${verifiedBy(verification)}`,
    ...(accept === "human" || accepted ? [`${pc.dim("accepted")}  ${acceptance}`] : []),
  ];
}

function verifiedBy({ verified, gates }: Pick<ProofOfDone, "verified" | "gates">): string {
  if (verified === "no_gates") return "no gates";
  const each = gates.map(({ gate, state, position, workspace, evidence }) => {
    const files = workspace === null ? "" : `, files ${workspace.slice(0, 12)}`;
    const shown = evidence === "" ? "" : `; ${quoteLine(evidence, 1_000)}`;
    return `gate ${gate} ${state}${position === null ? "" : ` (#${position}${files}${shown})`}`;
  });
  return `${verified}: ${each.join(", ")}`;
}
