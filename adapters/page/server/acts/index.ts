import type { z } from "zod";
import {
  addComment,
  changeTask,
  createTask,
  markLearning,
  pauseWork,
  resumeWork,
  setTaskStatus,
  splitLearning,
  stopLoop,
  undo,
} from "../core.ts";
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
