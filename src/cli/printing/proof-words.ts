import type { ProofVerdict, Trusted } from "../../history/audit/proof.ts";
import { visible } from "../../lib/visible.ts";

/** What a checked proof shows, in lines for people. */
export function provenLines(verdict: ProofVerdict & { proven: true }, trusted: Trusted): string[] {
  const { event, redaction, head } = verdict;
  const withheld =
    redaction === undefined
      ? "its payload is withheld"
      : `its payload was redacted by the event at position ${redaction}, according to the proof's author; a proof of that event confirms it`;
  const words = event.payload === undefined ? [`  ${withheld}`] : [`  payload ${visible(event.payload)}`];
  return [
    `✓ Position ${event.position} of ${head.size} in ${visible(head.origin)}`,
    `  ${visible(event.type)} in ${visible(event.stream)}, by ${visible(event.actor)}, at ${visible(event.recordedAt)}`,
    ...words,
    ...vouching(trusted).map((line) => `  ${line}`),
  ];
}

/** The same for machines. */
export function proofJson(verdict: ProofVerdict, trusted: Trusted): object {
  if (!verdict.proven) return verdict;
  const { event, redaction, head } = verdict;
  return {
    proven: true,
    event,
    ...(redaction !== undefined && { redaction }),
    head: { origin: head.origin, size: head.size, root: head.root.toString("base64") },
    vouched_by: [...(trusted.key ? ["key"] : []), ...(trusted.head ? ["head"] : [])],
  };
}

function vouching({ key, head }: Trusted): string[] {
  const lines = [
    ...(key ? [`the head is signed by ${visible(key.name)}+${key.id}`] : []),
    ...(head ? [`the head continues the one that you kept, of ${head.size} events`] : []),
  ];
  return lines.length > 0
    ? lines
    : [
        "Nothing vouches for this head: the proof's author may have made it up. Give --key or a head that you kept.",
      ];
}
