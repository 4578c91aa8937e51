import { type Issue, type IssueComment, type TrackerAdapter, TrackerError } from "./adapter.ts";
import { answerBy, markOfItem } from "./answers.ts";
import { fenced, itemComment } from "./comment-text.ts";
import {
  AGENT,
  actsOn,
  boardTables,
  changeTask,
  createTask,
  type Decision,
  decide,
  declareGates,
  eventAt,
  findTask,
  fromIsoTime,
  idFromKey,
  inboxOfTask,
  isMark,
  noticeOf,
  type People,
  type Project,
  personOf,
  rejectSuggestion,
  requireKnownLog,
  type Suggestion,
  suggestEdit,
  type TaskView,
  ToldError,
  type Via,
} from "./core.ts";
import { type TaskOfIssue, taskOfIssue } from "./issue-task.ts";
import { openKept } from "./kept.ts";
import { marksOf } from "./marks.ts";
import { openPullRequest, type PullRequestPlace } from "./pull-request.ts";

export interface SyncOptions {
  readonly readModelPath: string;
  /** Read anew for each answer: somebody may have been removed a second ago. */
  people(): People;
  /** Where pull requests are opened from; absent: none are. */
  readonly pullRequests?: PullRequestPlace | undefined;
}

/** What one sync did. */
export interface SyncReport {
  readonly issues: number;
  readonly created: number;
  readonly changed: number;
  readonly comments: number;
  readonly answers: number;
  readonly pullRequests: number;
  /** What could not be done, as sentences; the rest was. */
  readonly problems: readonly string[];
}

const PREFIX = "signalbox: ";
/** An issue that was changed in the last minutes is read again, also where the clocks differ a little. */
const SETTLED_MS = 300_000;

/**
 * Keeps tasks and the issues of a tracker in step, both ways. Everything that it does is done once, however often it is repeated and
 * wherever it was cut off: what it records has a key of the issue or the comment, what it writes bears a mark of its event.
 *
 * @throws LogError `unknown_log`; TrackerError: the issues cannot be listed; LogError, ReadModelError
 */
export async function syncTracker(
  project: Project,
  adapter: TrackerAdapter,
  options: SyncOptions,
): Promise<SyncReport> {
  await requireKnownLog(project.log, options.readModelPath);
  return new Sync(project, adapter, options).run();
}

class Sync {
  readonly #project: Project;
  readonly #adapter: TrackerAdapter;
  readonly #options: SyncOptions;
  readonly #kept;
  readonly #marks;
  readonly #tasks = new Map<number, number>();
  readonly #done = { created: 0, changed: 0, comments: 0, answers: 0, pullRequests: 0 };
  readonly #problems: string[] = [];

  constructor(project: Project, adapter: TrackerAdapter, options: SyncOptions) {
    this.#project = project;
    this.#adapter = adapter;
    this.#options = options;
    this.#kept = openKept(options.readModelPath, adapter.kind, adapter.repository);
    this.#marks = marksOf(options.readModelPath, `${adapter.kind}:${adapter.repository}`);
  }

  async run(): Promise<SyncReport> {
    const issues = await this.#adapter.issues();
    for (const issue of issues) await this.#trying(issue, () => this.#take(issue));
    for (const issue of issues) await this.#trying(issue, () => this.#follow(issue));
    try {
      for (const issue of issues) await this.#trying(issue, () => this.#tell(issue));
    } finally {
      this.#kept.save();
    }
    return { issues: issues.length, ...this.#done, problems: this.#problems };
  }

  /** One issue's fault keeps no other one back; a limit of the service ends the sync. */
  async #trying(issue: Issue, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isLimit =
        error instanceof TrackerError && (error.retryAfter_ms !== undefined || error.status === 401);
      const isOfIssue =
        error instanceof TrackerError ||
        (error instanceof ToldError && (error.fault !== "unusable" || error.code === "git"));
      if (isLimit || !isOfIssue) throw error;
      this.#problems.push(`#${issue.number}: ${error.message}`);
    }
  }

  #keyOf(issue: number): string {
    return `${this.#adapter.kind} ${this.#adapter.repository}#${issue}`;
  }

  /** The task of an issue: one that was made before, or a new one of an open issue. */
  async #take(issue: Issue): Promise<void> {
    const known = await this.#project.log.find(idFromKey(this.#keyOf(issue.number), "0"));
    if (known?.type === "task.created") {
      this.#tasks.set(issue.number, known.payload.task);
      return;
    }
    if (!issue.isOpen) return;
    const { title, description, gates } = taskOfIssue(issue);
    // As an agent's, gates wait for a human (docs/rules.md, Verify gates), and words are no instructions: whoever writes an issue
    // must not run commands here.
    const isConfirmed = gates.length === 0 && (await this.#isConfirmed(issue));
    const actor = isConfirmed ? this.#adapter.kind : AGENT;
    const made = createTask({ title, description, gates: [...gates] });
    const [event] = await this.#decide(
      { ...made, input: { issue: issue.number } },
      this.#keyOf(issue.number),
      actor,
      isConfirmed ? this.#via : undefined,
    );
    if (event?.type !== "task.created") return;
    this.#tasks.set(issue.number, event.payload.task);
    this.#done.created += 1;
  }

  /** What was changed in the issue since, and its dependencies. */
  async #follow(issue: Issue): Promise<void> {
    const task = await this.#taskOf(issue);
    if (!task || task.status === "done" || task.status === "skipped") return;
    const wanted = taskOfIssue(issue);
    if (!(await this.#followWords(issue, task, wanted))) return;
    await this.#followGates(issue, task, wanted);
    await this.#followDependencies(issue, task, wanted);
  }

  /** @returns false if the task does not have the issue's words, because they wait, or were refused */
  async #followWords(issue: Issue, task: TaskView, { title, description }: TaskOfIssue): Promise<boolean> {
    const isSame = (words: { title?: string | undefined; description?: string | undefined }) =>
      words.title === title && words.description === description;
    const edits = await this.#project.ask((tables) =>
      tables.rowsOf(boardTables).suggestions.where({ proposed_task: task.id, kind: "edit" }),
    );
    const edit = edits.at(-1);
    const isSuggested = edit !== undefined && isSame({ title: edit.what, description: edit.why });
    const withdrawal = `${this.#keyOf(issue.number)} withdraws ${edit?.id}`;
    const withdraw = async () => {
      if (edit?.state === "proposed")
        await this.#decide(rejectSuggestion({ id: edit.id }), withdrawal, this.#adapter.kind);
    };
    // The issue was edited again, or back.
    if (!isSuggested) await withdraw();
    if (isSame(task)) return true;
    const last = await this.#lastTaken(task.id, edits);
    // What was redacted here must not come back from there.
    const texts = edit && edit.id > last.position ? [edit.what, edit.why] : [];
    if (last.isRedacted || texts.some(isMark)) {
      this.#problems.push(
        `#${issue.number}: task ${task.id} was redacted, so edits of the issue are not taken over. Redact the issue too.`,
      );
      return false;
    }
    // The issue is as it was taken: what differs was changed here, on purpose.
    if (isSame(last)) return true;
    const isOurs = last.title === task.title && last.description === task.description;
    if (!isOurs) {
      this.#problems.push(
        `#${issue.number} and task ${task.id} were both changed: neither was taken over. Change one of them to what is right.`,
      );
      return false;
    }
    const changed = { title: title !== last.title, body: description !== last.description };
    if (await this.#isConfirmed(issue, changed)) {
      await withdraw();
      const key = `${this.#keyOf(issue.number)} words after ${last.position}`;
      await this.#decide(
        changeTask({ task: task.id, title, description }),
        key,
        this.#adapter.kind,
        this.#via,
      );
      this.#done.changed += 1;
      return true;
    }
    // It waits already, or a human has rejected it.
    const isNew = edit?.state === "approved" || (await this.#project.log.find(idFromKey(withdrawal, "0")));
    if (isSuggested && !isNew) return false;
    const key = `${this.#keyOf(issue.number)} words after ${last.position}, suggested after ${edit?.id ?? 0}`;
    const suggestion = suggestEdit({ task: task.id, title, description });
    await this.#decide(suggestion, key, this.#adapter.kind);
    return false;
  }

  /**
   * Whether one of the people wrote the issue's words, or gave it the label when it had them.
   *
   * @param changed what must have been edited, since it is not as it was taken
   */
  async #isConfirmed(issue: Issue, changed = { title: false, body: false }): Promise<boolean> {
    const { kind } = this.#adapter;
    const people = this.#options.people();
    if (!Object.values(people).some((person) => person[kind] !== undefined)) return false;
    const history = await this.#adapter.history(issue);
    if (!history) throw new TrackerError("The issue was edited while it was read. The next sync takes it.");
    const { title, body, labelled } = history;
    const isOfPeople = ({ by }: { readonly by: string }) => personOf(people, kind, by) !== undefined;
    const isConfirmed = (act: typeof title) =>
      isOfPeople(act) || labelled.some((one) => one.at > act.at && isOfPeople(one));
    const isKnown = (!changed.title || title.at > 0) && (!changed.body || body.at > 0);
    return isKnown && isConfirmed(title) && isConfirmed(body);
  }

  /** The words that this tracker gave a task last, or that a human approved. */
  async #lastTaken(task: number, edits: readonly Suggestion[]): Promise<Taken> {
    let last: Taken = { position: 0, isRedacted: false };
    for (const event of await this.#project.log.readStream(`task-${task}`, 0, 10_000)) {
      const { position, payload } = event;
      const isApproved = edits.some(
        ({ state, acted_at }) => state === "approved" && acted_at === position - 1,
      );
      const isOfIssue =
        event.type === "task.created" ||
        (event.type === "task.changed" && (event.actor === this.#adapter.kind || isApproved));
      if (!isOfIssue) continue;
      const { title = last.title, description = last.description } = payload as Taken;
      last = { title, description, position, isRedacted: isMark(title) || isMark(description) };
    }
    return last;
  }

  /** Gates that came with a later edit: they wait for approval like the first ones. */
  async #followGates(issue: Issue, task: TaskView, { gates }: TaskOfIssue): Promise<void> {
    const declared = await this.#project.queries.task(task.id);
    const known = new Set(declared?.gates.map(({ command }) => command));
    const more = gates.filter(({ command }) => !known.has(command));
    if (more.length === 0) return;
    const key = `${this.#keyOf(issue.number)} gates ${idFromKey(...more.map(({ command }) => command))}`;
    await this.#decide(declareGates({ task: task.id, gates: [...more] }), key, AGENT);
    this.#done.changed += 1;
  }

  async #followDependencies(issue: Issue, task: TaskView, { dependsOn }: TaskOfIssue): Promise<void> {
    const wanted = dependsOn.flatMap((number) => this.#tasks.get(number) ?? []);
    for (const id of wanted) {
      if (id === task.id || task.depends_on.includes(id)) continue;
      const key = `${this.#keyOf(issue.number)} depends on ${id}`;
      // A human who took it away here has decided that.
      if (await this.#project.log.find(idFromKey(key, "0"))) continue;
      const now = (await this.#taskOf(issue))?.depends_on ?? [];
      await this.#decide(changeTask({ task: task.id, depends_on: [...now, id] }), key, this.#adapter.kind);
      this.#done.changed += 1;
    }
  }

  /** Answers that were written there, and what is to be written there. */
  async #tell(issue: Issue): Promise<void> {
    const task = await this.#taskOf(issue);
    if (!task) return;
    const { number } = issue;
    const before = this.#kept.of(number);
    const told = new Set(before.told);
    let comments: readonly IssueComment[] | undefined;
    const read = async () => (comments ??= await this.#adapter.comments(number));
    let lastComment = before.lastComment;
    if (issue.updated !== before.updated) {
      for (const comment of await read()) {
        if (comment.id <= before.lastComment) continue;
        const reply = `reply-${comment.id}`;
        const earlier = (await read()).filter(({ id }) => id < comment.id);
        if (!this.#marks.isIn(await read(), number, reply)) {
          const words = await answerBy(this.#project, this.#adapter, this.#options.people(), {
            issue: number,
            task: task.id,
            comment,
            isTold: (what) => this.#marks.isIn(earlier, number, what),
          });
          if (words !== undefined) {
            await this.#adapter.comment(number, `${words}\n\n${this.#marks.mark(number, reply)}`);
            this.#done.answers += 1;
          }
        }
        lastComment = Math.max(lastComment, comment.id);
      }
    }
    const once = async (what: string, words: () => Promise<string | undefined>) => {
      if (told.has(what)) return;
      if (!this.#marks.isIn(await read(), number, what)) {
        const body = await words();
        if (body === undefined) return;
        await this.#adapter.comment(number, `${body}\n\n${this.#marks.mark(number, what)}`);
        this.#done.comments += 1;
      }
      told.add(what);
      this.#kept.set(number, { ...this.#kept.of(number), told: [...told] });
    };
    await this.#tellFaults(issue, once);
    await this.#tellItems(task.id, once);
    await this.#label(issue);
    await this.#tellEnd(issue, once);
    // The time has whole seconds: a comment of the last one may not have been in the list.
    const isSettled = Date.parse(issue.updated) < this.#project.store.environment.now() / 1_000 - SETTLED_MS;
    this.#kept.set(number, { updated: isSettled ? issue.updated : "", told: [...told], lastComment });
  }

  async #tellFaults(issue: Issue, once: Once): Promise<void> {
    const { faults } = taskOfIssue(issue);
    if (faults.length > 0)
      await once(`faults-${idFromKey(...faults)}`, async () => fenced(faults.join("\n")));
  }

  async #tellItems(task: number, once: Once): Promise<void> {
    const items = await this.#project.ask((tables) => inboxOfTask(tables, task));
    for (const item of items) {
      const event = await eventAt(this.#project.log, item.id);
      if (!event) continue;
      await once(await markOfItem(this.#project, item), async () => {
        const recorded_ms = fromIsoTime(event.recordedAt) / 1_000;
        const about = { kind: item.kind, position: item.id, recorded_ms };
        const notice = await this.#project.ask((tables) =>
          noticeOf(tables, about, { folder: "", url: undefined, tokenFor: () => undefined }),
        );
        return notice && itemComment(notice, item.id, actsOn(item), this.#adapter.command);
      });
    }
  }

  async #tellEnd(issue: Issue, once: Once): Promise<void> {
    const task = await this.#taskOf(issue);
    if (task?.status !== "done" && task?.status !== "failed") return;
    const place = this.#options.pullRequests;
    await once(`${task.status}-${task.status_since}`, async () => {
      const url =
        place && task.status === "done"
          ? await openPullRequest(this.#project, this.#adapter, { task: task.id, issue: issue.number }, place)
          : undefined;
      if (url !== undefined) this.#done.pullRequests += 1;
      return `**Task ${task.id} is ${task.status}.**${url === undefined ? "" : ` ${url}`}`;
    });
  }

  get #via(): Via {
    return { channel: "tracker", program: this.#adapter.kind };
  }

  async #label(issue: Issue): Promise<void> {
    const task = await this.#taskOf(issue);
    if (!task) return;
    const label = `${PREFIX}${task.status.replaceAll("_", " ")}`;
    const others = issue.labels.filter((one) => one.startsWith(PREFIX) && one !== label);
    if (issue.labels.includes(label) && others.length === 0) return;
    await this.#adapter.changeLabels(issue.number, label, others);
  }

  async #taskOf({ number }: Issue): Promise<TaskView | undefined> {
    const id = this.#tasks.get(number);
    return id === undefined ? undefined : this.#project.ask((tables) => findTask(tables, id) ?? undefined);
  }

  /** @param via where one of the people is known to have done it */
  async #decide(decision: Decision, key: string, actor: string, via?: Via) {
    return decide(this.#project.store, decision, { actor, via, key });
  }
}

interface Taken {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly position: number;
  readonly isRedacted: boolean;
}

type Once = (what: string, words: () => Promise<string | undefined>) => Promise<void>;
