import { failedEndings } from "../../events/types/loops.ts";
import { maskSecrets, secretValues } from "../../lib/mask-secrets.ts";
import { actsOn } from "../../operations/inbox-acts.ts";
import { choicesOf, findInInbox, inboxKey } from "../../queries/inbox.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import { loopEndedAt } from "../../queries/loops.ts";
import { projectInfo } from "../../queries/project.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import type { Notice, NoticeAct } from "./channel.ts";
import type { Candidate } from "./due.ts";
import type { AnswerRight } from "./token.ts";

/** What a notice needs besides the read model. */
export interface NoticeSurroundings {
  /** What a project without a title is called. */
  readonly folder: string;
  /** The panel's address as people reach it, without a slash at its end; undefined: nobody knows it. */
  readonly url: string | undefined;
  /** A token for an item, for who reads the channel; undefined where nobody there may act on it. */
  tokenFor(item: Pick<AnswerRight, "kind" | "id" | "task">): string | undefined;
}

/**
 * The notice of something that waits, from the read model as it is now: what was redacted meanwhile is not in it. Secrets are masked.
 *
 * @returns undefined: it does not wait any more
 */
export function noticeOf(
  readModel: ReadView,
  { kind, position, recorded_ms }: Candidate,
  { folder, url, tokenFor }: NoticeSurroundings,
): Notice | undefined {
  const common = {
    kind,
    project: mask(projectInfo(readModel).title ?? folder),
    at: new Date(recorded_ms).toISOString(),
  };
  if (kind === "loop") {
    const loop = loopEndedAt(readModel, position);
    if (!loop) return undefined;
    return {
      ...common,
      subject: failedEndings.has(loop.ending) ? "A loop failed" : "A loop ended",
      task: null,
      text: mask(loop.reason),
      detail: null,
      options: [],
      link: url === undefined ? null : `${url}/sessions`,
      acts: [],
    };
  }
  const item = findInInbox(readModel, { kind, id: position });
  if (!item) return undefined;
  return {
    ...common,
    subject: item.of_kind === "edit" ? "A stranger edited an issue" : SUBJECTS[item.kind],
    task: item.task === null ? null : { id: item.task, title: mask(item.task_title) },
    text: mask(item.text),
    detail: item.detail === null ? null : mask(item.detail),
    options: choicesOf(item).map(mask),
    link: url === undefined ? null : `${url}/inbox?item=${inboxKey(item)}`,
    // A plan has to be seen whole.
    acts: item.task === null ? [] : actsOf(item, url, tokenFor({ kind, id: item.id, task: item.task })),
  };
}

/** What can be done without seeing more than the notice shows. */
function actsOf(item: InboxItem, url: string | undefined, token: string | undefined): NoticeAct[] {
  if (token === undefined) return [];
  const answer = { url: `${url ?? ""}${ANSWER_PATH}` };
  // What is masked cannot be chosen from here: the answer would say the secret.
  const told = choicesOf(item).filter((option) => mask(option) === option);
  const choices = told.map((option) => ({
    label: option,
    needsText: false,
    answer: { ...answer, body: { token, act: "answer", text: option } },
  }));
  const acts = actsOn(item)
    .filter(({ needsOpen }) => !needsOpen)
    .map(({ label, needsText = false }) => ({
      label,
      needsText,
      answer: { ...answer, body: { token, act: label } },
    }));
  return [...choices, ...acts];
}

/** Where answers are sent to, below the panel's address. */
export const ANSWER_PATH = "/notices/answer";

const SUBJECTS: Readonly<Record<InboxItem["kind"], string>> = {
  gate: "A gate keeps failing",
  question: "An agent asks a question",
  blocker: "An agent is blocked",
  contest: "An agent disputes a done task",
  plan: "A plan waits for approval",
  proposal: "An agent proposes a task",
  stall: "A task does not get on",
  setup: "The setup of worktrees fails",
  hold: "A task is held",
  flag: "An agent raised a flag",
  acceptance: "A done task waits for acceptance",
  gate_approval: "Gates wait for approval",
  merge: "A merge needs you",
};

function mask(text: string): string {
  return maskSecrets(text, secrets);
}

/** Of this process, whose environment has the channels' secrets too. */
const secrets = secretValues(process.env);
