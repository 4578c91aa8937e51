import type { ComponentChildren } from "preact";
import { visible } from "../../../events/visible.ts";
import type { Changes } from "../address.ts";
import { NoHits } from "./no-hits.tsx";

interface BadAddressProps {
  /** What takes it out of the address. */
  readonly clear: Changes;
  /** What it asks for that there is not, and what there is. */
  readonly children: ComponentChildren;
}

/** Says what is wrong with an address that somebody wrote, and leads to the same one without that. */
export function BadAddress({ clear, children }: BadAddressProps) {
  return (
    <NoHits clear={clear} role="alert">
      {children}
    </NoHits>
  );
}

/** @returns what is wrong with a value where it is none of those that are known, undefined where nothing is */
export function notAmong(
  what: string,
  value: string | undefined,
  known: readonly string[],
): string | undefined {
  if (value === undefined || known.includes(value)) return undefined;
  return `There is no ${what} “${visible(value)}”. Use one of: ${known.join(", ")}.`;
}

/** The same, of what is a number from 1. */
export function notNumber(what: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[1-9]\d{0,14}$/.test(value)) return undefined;
  return `“${visible(value)}” is not ${what}. Use a whole number from 1.`;
}
