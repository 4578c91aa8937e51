import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const act = z.union([
  z.strictObject({
    /** A tool of our server. */
    call: z.string(),
    with: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    /** A file, from the agent's folder. */
    edit: z.string(),
    /** Text that is in it once. */
    old: z.string().min(1),
    new: z.string(),
  }),
]);

const play = z.array(
  z.strictObject({
    /** The title of the session's task. */
    task: z.string(),
    /** Whether its prompt has the answer to a question of the task. */
    answered: z.boolean().default(false),
    acts: z.array(act),
  }),
);

/** What a pretend agent does at a time: a tool call, or an edit of a file. */
export type Act = z.infer<typeof act>;

/** @param file JSON: a list of sessions @throws if it cannot be read, or has another form */
export function readPlay(file: string): z.infer<typeof play> {
  return play.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The acts of a session; undefined if the play has none for it. */
export function actsFor(
  sessions: z.infer<typeof play>,
  task: string,
  answered: boolean,
): readonly Act[] | undefined {
  return sessions.find((one) => one.task === task && one.answered === answered)?.acts;
}

/** @throws if the old text is not in the file once */
export function editFile({ edit, ...text }: Extract<Act, { edit: string }>): void {
  const parts = readFileSync(edit, "utf8").split(text.old);
  if (parts.length !== 2)
    throw new Error(`${edit} must have this text once, and has it ${parts.length - 1} times: ${text.old}`);
  writeFileSync(edit, parts.join(text.new));
}
