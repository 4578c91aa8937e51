import { type EventType, eventDefinitions } from "../../events/types/index.ts";
import { didYouMean } from "../../lib/nearest.ts";

/**
 * The event types that a name means: one (`gate.acted`), or a family (`gate`, `gate.*`). Undefined
 * if unknown.
 */
export function typesNamed(name: string): ReadonlySet<EventType> | undefined {
  const family = name.replace(/(\.\*?)?$/, ".");
  const found = TYPES.filter((type) => type === name || type.startsWith(family));
  return found.length > 0 ? new Set(found) : undefined;
}

/** The hint if `typesNamed` found none: the nearest name, or all families. */
export function noSuchType(name: string): string {
  const guess = didYouMean(name, TYPES) || didYouMean(name.replace(/\.\*?$/, ""), FAMILIES);
  return `"${name}" is not an event type or a family of types.${guess} The families are ${FAMILIES.join(", ")}; docs/events.md lists the types.`;
}

const TYPES = eventDefinitions.map(({ type }) => type);
const FAMILIES = [...new Set(TYPES.map((type) => type.slice(0, type.indexOf("."))))];
