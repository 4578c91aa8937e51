import { type PolicyName, type PolicyValue, policies, type ValueOf } from "../../events/types/policies.ts";

/** What the table `policies` keeps of a value: SQLite has no booleans. */
export function storedValue(value: PolicyValue): number | string {
  return typeof value === "boolean" ? Number(value) : value;
}

/** The events that set these policies; none for one that was never set. */
export function policyCauses(
  board: { readonly policies: { get(name: string): { readonly position: number } | undefined } },
  ...names: readonly PolicyName[]
): number[] {
  return names.flatMap((name) => board.policies.get(name)?.position ?? []);
}

/** A policy's current value: the one that was set, or its default. */
export function policyValue<Name extends PolicyName>(
  board: { readonly policies: { get(name: string): { readonly value: number | string } | undefined } },
  name: Name,
): ValueOf<Name> {
  const { absent } = policies[name];
  const stored = board.policies.get(name)?.value;
  const value = stored !== undefined && typeof absent === "boolean" ? stored === 1 : (stored ?? absent);
  // The event's schema has checked it.
  return value as ValueOf<Name>;
}
