import { z } from "zod";
import { isBlank } from "../../lib/blank.ts";
import { structural } from "./structure.ts";
import { priorities, taskStatuses } from "./task-words.ts";

export { priorities, taskStatuses };

/** The longest text in one field, in UTF-16 units. */
export const TEXT_LIMIT = 100_000;

/** The fault of a blank text; older programs allowed them (`checkPayload`). */
const BLANK = { error: "is blank", params: { blank: true } };

/** Required text: not blank, of limited length. */
export const text = z
  .string()
  .max(TEXT_LIMIT)
  .refine((value) => !isBlank(value), BLANK);

/** Text that may be empty. */
export const longText = z.string().max(TEXT_LIMIT);

/** The longest line, in UTF-16 units. */
export const LINE_LIMIT = 500;

/** One required line of limited length. */
export const lineOf = (limit: number) =>
  text.max(limit).refine((value) => !/[\r\n]/.test(value), { error: "has more than one line" });

/** One required line, such as a title. */
export const line = lineOf(LINE_LIMIT);

/** The name of a feature, discipline or person: a short line without control characters or outer blanks. */
export const name = structural(
  z
    .string()
    .min(1)
    .max(100)
    .refine((value) => value.trim() === value && !/\p{Cc}/u.test(value), {
      error: "must be a short name without control characters or blanks at its ends",
    })
    .refine((value) => !isBlank(value), BLANK),
);

/** A short word for people, such as AUTH. */
export const acronym = name.max(20);

/**
 * Task ids count up from 1 and are never reused (docs/rules.md, What an agent may do to a
 * status).
 */
export const taskId = z.int().min(1).max(1_000_000_000);

/** An event's position in the whole log. */
export const position = z.int().min(1);

export const sessionId = structural(
  z
    .string()
    .min(1)
    .max(200)
    .refine((value) => !/[\p{Cc}\s]/u.test(value), {
      error: "must not contain blanks or control characters",
    }),
);

/** The most gates of a task. */
export const GATES_LIMIT = 100;

/** A gate's number within its task, from 1. */
export const gateNumber = z.int().min(1).max(GATES_LIMIT);

/** A fingerprint of a workspace's content: if two are equal, nothing changed. */
export const fingerprint = structural(z.string().min(1).max(200));

/** A git branch's name. */
export const branch = structural(
  z
    .string()
    .min(1)
    .max(300)
    .regex(/^[^\s~^:?*[\\]+$/),
);

/** A git commit's id. */
export const commit = structural(z.string().regex(/^[0-9a-f]{7,64}$/));

/** The most files that one event names. */
export const FILES_LIMIT = 1_000;

/** A file's path, relative to the project or the workspace. */
export const filePath = lineOf(4_096);
export const filePaths = z.array(filePath).max(FILES_LIMIT);

/** Whether an event can name it: a file's name may be anything. */
export function isFilePath(path: string): boolean {
  return Buffer.from(path).toString() === path && filePath.safeParse(path).success;
}

export const taskStatus = z.enum(taskStatuses);
export type TaskStatus = z.infer<typeof taskStatus>;

export const priority = z.enum(priorities);
export type Priority = z.infer<typeof priority>;

export const taskStream = (payload: { task: number }): string => `task-${payload.task}`;

export const sessionStream = (payload: { session: string }): string => `session-${payload.session}`;

/** The id of a host (src/events/own-host.ts). */
export const hostId = structural(z.uuid());

export const hostStream = (payload: { host: string }): string => `host-${payload.host}`;

export const projectStream = (): string => "project";
