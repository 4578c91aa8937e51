import type { EventDefinition } from "../event.ts";

/*
 * Events that other programs define. Their types start with an owner, `acme.deploy.finished`; none
 * of ours does. So no later version of signalbox can clash with one, and a process without the
 * definition recognises such an event and skips it.
 */

/** All that is known of any own event: nothing about its payload. */
export type OwnEvent = Pick<EventDefinition, "type" | "version" | "payload">;

const OWN = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){2,}$/;

const definitions = new Map<string, EventDefinition>();

/** True for the type of another program's event. */
export function isOwnType(type: string): boolean {
  return OWN.test(type);
}

/** The definition of an own type that was registered in this process. */
export function ownDefinition(type: string): EventDefinition | undefined {
  return definitions.get(type);
}

/**
 * Registers definitions in this process.
 *
 * @throws Error: a type has no owner prefix, or was registered before with another version
 */
export function giveOwnEvents(events: readonly OwnEvent[]): void {
  const versions = new Map<string, number>();
  for (const { type, version } of events) {
    if (!isOwnType(type)) {
      throw new Error(
        `"${type}" is not a valid name for an event of your own. Put an owner in front: "acme.${type}".`,
      );
    }
    const before = versions.get(type) ?? definitions.get(type)?.version ?? version;
    if (before !== version) {
      throw new Error(`${type} is defined twice, with versions ${before} and ${version}. Keep one of them.`);
    }
    versions.set(type, version);
  }
  // Each definition is complete: only `defineEvent` makes them.
  for (const one of events) definitions.set(one.type, one as EventDefinition);
}
