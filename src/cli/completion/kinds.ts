/** A word that may stand at the cursor. */
export interface Candidate {
  readonly value: string;
  /** For people; never part of the line. */
  readonly meaning: string;
}

/** What an argument or option takes, where its choices are not fixed: things of the project, or paths. */
export type Kind =
  | "task"
  | "session"
  | "item"
  | "learning"
  | "feature"
  | "discipline"
  | "agent"
  | "recipe"
  | "status"
  | "files"
  | "folders";

/**
 * The kind of a value, from the words of its help.
 *
 * @param group the first word of the command, such as `feature`
 * @param name an option's flags, such as `--feature <name>`, or an argument's name
 */
export function kindOf(group: string, name: string, description: string): Kind | undefined {
  return KINDS.find(
    ([, names, meaning = /^/]) => names.test(`${group} ${name}`) && meaning.test(description),
  )?.[0];
}

const KINDS: readonly (readonly [Kind, name: RegExp, description?: RegExp])[] = [
  ["task", / (task|--task <id>)$/],
  ["task", / id$/, /^the task's id\b/],
  ["task", /^task --depends-on /],
  ["session", / (session|--session <id>)$/],
  ["item", / (id|more)$/, /^(the item's id\b|more items)/],
  ["item", /^why id$/, /^its number/],
  ["learning", / id$/, /^the learning's id\b/],
  ["feature", /( --feature <name>|^feature name|^feature --depends-on <names>)$/],
  ["discipline", /( --discipline <name>|^discipline name)$/],
  ["agent", / --agent </],
  ["recipe", /^(launch recipe|recipes name)$/],
  ["status", / --status <status>$/],
  ["folders", /( folder$|<folder>|\[folder\])/],
  ["files", /( (file|path|paths|mcp-config)$|[<[](file|path|socket)[>\]])/],
];
