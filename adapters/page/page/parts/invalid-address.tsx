import type { ComponentChildren } from "preact";
import type { Changes } from "../address.ts";
import { visible } from "../core.ts";
import { NoMatches } from "./no-matches.tsx";

interface InvalidAddressProps {
  /** The changes that remove it from the address. */
  readonly clear: Changes;
  /** The fault, and which values are valid. */
  readonly children: ComponentChildren;
}

/** Explains an invalid value in the address, with a button that removes it. */
export function InvalidAddress({ clear, children }: InvalidAddressProps) {
  return (
    <NoMatches clear={clear} role="alert">
      {children}
    </NoMatches>
  );
}

/** @returns an error message for a value that is not among the known ones, else undefined */
export function unknownValueError(
  what: string,
  value: string | undefined,
  known: readonly string[],
): string | undefined {
  if (value === undefined || known.includes(value)) return undefined;
  return `There is no ${what} “${visible(value)}”. Use one of: ${known.join(", ")}.`;
}

/** The same for a value that must be a number from 1. @param what such as "a task number" */
export function notNumberError(what: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[1-9]\d{0,14}$/.test(value)) return undefined;
  return `“${visible(value)}” is not ${what}. Use a whole number from 1.`;
}
