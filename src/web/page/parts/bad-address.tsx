import type { ComponentChildren } from "preact";
import { visible } from "../../../events/visible.ts";
import type { Changes } from "../address.ts";
import { NoHits } from "./no-hits.tsx";

interface BadAddressProps {
  /** The changes that remove it from the address. */
  readonly clear: Changes;
  /** The fault, and which values are valid. */
  readonly children: ComponentChildren;
}

/** Explains an invalid value in the address, with a button that removes it. */
export function BadAddress({ clear, children }: BadAddressProps) {
  return (
    <NoHits clear={clear} role="alert">
      {children}
    </NoHits>
  );
}

/** @returns an error message for a value that is not among the known ones, else undefined */
export function notAmong(
  what: string,
  value: string | undefined,
  known: readonly string[],
): string | undefined {
  if (value === undefined || known.includes(value)) return undefined;
  return `There is no ${what} “${visible(value)}”. Use one of: ${known.join(", ")}.`;
}

/** The same for a value that must be a number from 1. @param what such as "a task number" */
export function notNumber(what: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[1-9]\d{0,14}$/.test(value)) return undefined;
  return `“${visible(value)}” is not ${what}. Use a whole number from 1.`;
}
