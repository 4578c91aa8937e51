import type { Issue } from "./adapter.ts";
import {
  GATES_LIMIT,
  type GateDeclaration,
  GateSyntaxError,
  gatesOf,
  isBlank,
  LINE_LIMIT,
  oneLine,
  parseGateLine,
  quote,
  shorten,
  visible,
} from "./core.ts";

/** What a task says that an issue became. */
export interface TaskOfIssue {
  readonly title: string;
  readonly description: string;
  /** They wait for a human's approval, whoever wrote the issue. */
  readonly gates: readonly GateDeclaration[];
  /** The issues of the same repository that it waits for, by their numbers. */
  readonly dependsOn: readonly number[];
  /** What of the issue could not be taken, as sentences. */
  readonly faults: readonly string[];
}

const DESCRIPTION_LIMIT = 90_000;

/**
 * Reads an issue: the body is the description; a line `verify: COMMAND` is a gate; `depends on #12` and `blocked by #12` are
 * dependencies. HTML comments, which no reader of the issue sees, are no part of it.
 */
export function taskOfIssue({ title, body, author, url }: Issue): TaskOfIssue {
  const seen = body
    .replace(/\r\n?/g, "\n")
    .replace(/<!--[\s\S]*?(-->|$)/g, "")
    .trim();
  const gates: GateDeclaration[] = [];
  const faults: string[] = [];
  for (const [, command = ""] of seen.matchAll(/^[ \t]*(?:[-*][ \t]+)?verify:[ \t]*(.+)$/gim)) {
    try {
      const written = command.trim().replace(/^`([^`]+)`$/, "$1");
      gates.push(
        ...gatesOf(parseGateLine(`:: verify:${written.startsWith('"') ? written : quote(written)}`)),
      );
    } catch (error) {
      if (!(error instanceof GateSyntaxError)) throw error;
      faults.push(
        `The gate ${JSON.stringify(shorten(visible(command), 80))} was not taken: ${error.message}`,
      );
    }
  }
  if (gates.length > GATES_LIMIT)
    faults.push(`Of ${gates.length} gates the first ${GATES_LIMIT} were taken.`);
  const dependsOn = [
    ...seen.matchAll(/\b(?:depends on|blocked by)[ \t]+((?:#\d{1,9}(?:[ \t]*(?:,|and)[ \t]*)?)+)/gi),
  ].flatMap(([, numbers = ""]) => [...numbers.matchAll(/#(\d+)/g)].map(([, number]) => Number(number)));
  const words = shorten(seen, DESCRIPTION_LIMIT);
  if (words.length < seen.length)
    faults.push(`The body is longer than ${DESCRIPTION_LIMIT} characters and was cut.`);
  return {
    title: isBlank(title) ? "Untitled" : shorten(oneLine(visible(title)).trim(), LINE_LIMIT),
    description: `${words === "" ? "" : `${words}\n\n`}From ${url} by ${author}.`,
    gates: gates.slice(0, GATES_LIMIT),
    dependsOn: [...new Set(dependsOn)],
    faults,
  };
}
