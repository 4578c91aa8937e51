import type { EventLog } from "../../events/log.ts";
import { copyRecords } from "../../events/record-pages.ts";
import { growTree } from "../../history/audit/tree.ts";
import { MerkleTree } from "../../lib/merkle.ts";
import { FleetError } from "./fleet-error.ts";

/**
 * Carries a log to another place, with positions, ids, times, salts and leaf hashes as they are: most of it while others go on
 * appending, and the rest while nobody can.
 *
 * @param to is empty, or holds a part of the log from its beginning on
 * @param end ends the log at its old place, once it has called what it is given
 * @throws FleetError `not_empty`: the other place has events that the log does not have; whatever `end` throws
 * @returns how many events the log has
 */
export async function carryOver(
  from: EventLog,
  to: EventLog,
  end: (carryRest: () => Promise<void>) => Promise<void>,
): Promise<number> {
  const [here, there] = [new MerkleTree(), new MerkleTree()];
  let copied = 0;
  const carry = async () => {
    copied = await copyRecords(from, to, copied);
    await growTree(here, from);
    await growTree(there, to);
  };
  await refuseMore(from, to);
  await carry();
  // What came during the first one, which takes minutes for a large log.
  await carry();
  await end(async () => {
    await carry();
    if (!here.root().equals(there.root())) throw notTheSame(there.size, here.size);
  });
  return copied;
}

/** Before anything is copied. @throws FleetError `not_empty` */
async function refuseMore(from: EventLog, to: EventLog): Promise<void> {
  const [here, there] = await Promise.all([from.head(), to.head()]);
  const [last] = there === 0 || there > here ? [] : await from.records(there - 1, 1);
  const [same] = there === 0 ? [] : await to.records(there - 1, 1);
  if (there === 0 || (last && same && last.leafHash.equals(same.leafHash))) return;
  throw notTheSame(there, here);
}

function notTheSame(there: number, here: number): FleetError {
  return new FleetError(
    "not_empty",
    `The log there has ${there} events, which are not the first of the ${here} here. Name an empty log: \`signalbox fleet create\` makes one.`,
  );
}
