import type { z } from "zod";
import { visible } from "./visible.ts";

/**
 * For `safeParse`: describes a fault in the words of one field, `is missing`. A schema's own
 * message stays.
 */
export const inOurWords: z.core.ParseContext<z.core.$ZodIssue> = { error: wrongWith };

/**
 * The fault of each field, from an error parsed with `inOurWords`: "`title` is blank; `tags.0` is
 * missing".
 *
 * @param whole the name of the value itself, for faults outside its fields
 */
export function describeIssues({ issues }: Pick<z.core.$ZodError, "issues">, whole: string): string {
  return issues
    .slice(0, ISSUES_SHOWN)
    .map(({ path, message }) => `\`${path.map(String).join(".") || whole}\` ${message}`)
    .join("; ");
}

const ISSUES_SHOWN = 5;

/** The first fault of each field as a sentence, from such an error: "It is blank." */
export function faultsByField({ issues }: Pick<z.core.$ZodError, "issues">): Record<string, string> {
  const faults = issues.map(({ path: [field = ""], message }) => [String(field), `It ${message}.`] as const);
  // The first one of a field wins.
  return Object.fromEntries(faults.reverse());
}

/** A value as a message shows it, shortened. */
export function showValue(value: unknown): string {
  const text = visible(JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${[...text].slice(0, 60).join("")}…` : text;
}

type RawIssue<Code extends z.core.$ZodIssue["code"]> = Extract<z.core.$ZodRawIssue, { readonly code: Code }>;

function wrongWith(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type":
      return must(input, `must be ${TYPES[issue.expected] ?? issue.expected}`);
    case "invalid_value":
      return among(input, issue.values);
    case "invalid_format":
      return must(
        input,
        `must be ${FORMATS[issue.format] ?? `of the form ${issue.pattern ?? issue.format}`}`,
      );
    case "not_multiple_of":
      return must(input, `must be a multiple of ${issue.divisor}`);
    case "too_big":
      return tooBig(issue);
    case "too_small":
      return tooSmall(issue);
    case "unrecognized_keys":
      return `has no field ${issue.keys.map(showValue).join(", ")}`;
    case "invalid_key":
      return `cannot be a key: ${issue.issues.map(({ message }) => message).join("; ")}`;
    case "invalid_union":
      return noneOfUnion(issue);
    default:
      return must(input, "must have another form");
  }
}

function must(input: unknown, right: string): string {
  return input === undefined ? "is missing" : `is ${shown(input)}, it ${right}`;
}

/** JSON has no infinite numbers and no NaN. */
function shown(input: unknown): string {
  return typeof input === "number" ? String(input) : showValue(input);
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  url: "a URL",
  datetime: "a time such as 2026-11-20T09:00:00.000Z",
  date: "a day such as 2026-11-20",
};

function among(input: unknown, values: readonly unknown[]): string {
  const is = input === undefined ? "missing" : shown(input);
  return `is ${is}, legal values are ${values.map(String).join(", ")}`;
}

function tooBig({ origin, maximum, inclusive, input }: RawIssue<"too_big">): string {
  const noun = COUNTED[origin];
  if (noun) return `has ${sizeOf(input)} ${noun}, at most ${counted(maximum)} are allowed`;
  return must(input, `must be ${inclusive === false ? "less than" : "at most"} ${maximum}`);
}

function tooSmall({ origin, minimum, inclusive, input }: RawIssue<"too_small">): string {
  const noun = COUNTED[origin];
  if (noun && minimum === 1) return origin === "string" ? "is blank" : "is empty";
  if (noun) return `has ${sizeOf(input)} ${noun}, at least ${counted(minimum)} are needed`;
  return must(input, `must be ${inclusive === false ? "more than" : "at least"} ${minimum}`);
}

const COUNTED: Readonly<Record<string, string>> = { string: "characters", array: "entries" };

function sizeOf(input: unknown): string {
  return counted(typeof input === "string" || Array.isArray(input) ? input.length : 0);
}

/** As people write it: `100,000`. */
function counted(count: number | bigint): string {
  return count.toLocaleString("en-US");
}

/**
 * What each allowed form would need; for forms that one field tells apart, that field's allowed
 * values.
 */
function noneOfUnion(issue: RawIssue<"invalid_union">): string {
  const { errors, discriminator, input } = issue;
  if (discriminator !== undefined && "options" in issue && Array.isArray(issue.options)) {
    const told = typeof input === "object" && input !== null ? Reflect.get(input, discriminator) : undefined;
    return among(told, issue.options);
  }
  const wants = errors.flatMap(([first]) => (first ? [first.message] : []));
  return [...new Set(wants)].join(", or ") || must(input, "must have another form");
}
