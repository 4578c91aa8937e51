import type { EventDefinition } from "../event.ts";

/*
 * Events that a program defines for itself. Their types have an owner in front, `acme.deploy.finished`, which none of ours has: so no
 * later version of signalbox can clash with one, and a process that was not given the definition knows what it reads, and passes over it.
 */

/** What is known of any own event: nothing of its payload. */
export type OwnEvent = Pick<EventDefinition, "type" | "version" | "payload">;

const OWN = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){2,}$/;

const definitions = new Map<string, EventDefinition>();

/** True for the type of an event that is not ours. */
export function isOwnType(type: string): boolean {
  return OWN.test(type);
}

/** The definition that this process was given of an own type. */
export function ownDefinition(type: string): EventDefinition | undefined {
  return definitions.get(type);
}

/**
 * Makes definitions known to this process.
 *
 * @throws Error: a type has no owner in front, or was given before with another version
 */
export function giveOwnEvents(events: readonly OwnEvent[]): void {
  const versions = new Map<string, number>();
  for (const { type, version } of events) {
    if (!isOwnType(type)) {
      throw new Error(
        `"${type}" is no name for an event of your own. Put an owner in front: "acme.${type}".`,
      );
    }
    const before = versions.get(type) ?? definitions.get(type)?.version ?? version;
    if (before !== version) {
      throw new Error(`${type} is defined twice, with version ${before} and ${version}. Keep one of them.`);
    }
    versions.set(type, version);
  }
  // Each is whole: `defineEvent` alone makes one.
  for (const one of events) definitions.set(one.type, one as EventDefinition);
}
