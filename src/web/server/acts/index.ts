import type { z } from "zod";
import { addComment } from "../../../operations/comments.ts";
import { undo } from "../../../operations/inbox-undo.ts";
import { markLearning, splitLearning } from "../../../operations/learnings.ts";
import { setTaskStatus } from "../../../operations/task-status.ts";
import { changeTask, createTask } from "../../../operations/tasks.ts";
import { pauseWork, resumeWork, stopLoop } from "../../../operations/work.ts";
import { actOf } from "./act.ts";
import { inboxAct } from "./inbox.ts";
import { startLoopAct } from "./start-loop.ts";

/** All actions of the page. To add one: `page` in its operation's definition, and a line here. */
export const acts = [
  inboxAct,
  actOf(undo),
  actOf(markLearning),
  actOf(splitLearning),
  actOf(addComment),
  actOf(setTaskStatus),
  actOf(createTask),
  actOf(changeTask),
  actOf(pauseWork),
  actOf(resumeWork),
  actOf(stopLoop),
  startLoopAct,
] as const;

type Definition = (typeof acts)[number];
export type ActName = Definition["name"];
export type InputOf<Name extends ActName> = z.input<Extract<Definition, { name: Name }>["input"]>;
