import { resultFromElsewhere } from "../../src/events/types/command-result.ts";
import { priorities } from "../../src/events/types/fields.ts";
import type { Draft } from "../../src/events/types/index.ts";
import type { SessionExit } from "../../src/events/types/sessions.ts";
import {
  flagCategories,
  learningKinds,
  learningScopes,
  severities,
  suggestionKinds,
} from "../../src/events/types/signals.ts";
import { Random } from "./random.ts";
import { Words } from "./words.ts";

/**
 * A project's life, without end: tasks are created, eight sessions at a time work on tasks from anywhere in the log,
 * humans answer, resolve and approve. Kinds of events are as frequent as in the corpus (fixtures/sims).
 *
 * @param tasks `growing`: new tasks come all the time; a number: so many at the start and no more, sent back when done
 */
export function* history(tasks: "growing" | number, seed = 1): Generator<Draft, never> {
  const project = new ProjectLife(tasks, seed);
  let position = 0;
  for (const draft of project.beginning()) {
    position += 1;
    yield draft;
  }
  const running: { script: Script; position: number }[] = [];
  for (;;) {
    while (running.length < 8) running.push({ script: project.work(), position: 0 });
    const one = project.random.pick(running);
    const { done, value } = one.script.next(one.position);
    if (done) {
      running.splice(running.indexOf(one), 1);
      continue;
    }
    one.position = ++position;
    yield value;
  }
}

/** The next so many events. */
export function take(events: Generator<Draft, never>, count: number): Draft[] {
  return Array.from({ length: count }, () => events.next().value);
}

/** Yields events and gets back the position of each. */
type Script = Generator<Draft, void, number>;

class ProjectLife {
  readonly random: Random;
  readonly #words: Words;
  readonly #growing: boolean;
  readonly #firstTasks: number;
  readonly #features = ["general", "billing", "search", "exports", "notifications", "accounts"];
  readonly #titles = new Map<number, string>();
  readonly #gated = new Set<number>();
  /** Tasks that wait for a session, from the whole of the log. */
  readonly #waiting: number[] = [];
  readonly #learned: string[] = [];
  #lastTask = 0;
  #sessions = 0;

  constructor(tasks: "growing" | number, seed: number) {
    this.random = new Random(seed);
    this.#words = new Words(this.random);
    this.#growing = tasks === "growing";
    this.#firstTasks = tasks === "growing" ? 30 : tasks;
  }

  *beginning(): Generator<Draft, void> {
    for (const feature of this.#features) {
      yield {
        type: "feature.created",
        actor: "human",
        payload: { feature, display_name: feature, description: this.#words.sentence(8) },
      };
    }
    yield {
      type: "discipline.created",
      actor: "human",
      payload: { discipline: "general", display_name: "General", description: "" },
    };
    for (let count = 0; count < this.#firstTasks; count++) yield this.#newTask();
  }

  /** One session on one task, and what humans do about it. */
  *work(): Script {
    if (this.#growing) {
      for (let count = this.random.below(3) || (this.#waiting.length < 20 ? 1 : 0); count > 0; count--) {
        yield this.#newTask();
      }
    }
    const index = this.random.below(this.#waiting.length);
    const [task] = this.#waiting.splice(index, 1);
    if (task === undefined) return;
    const session = `session-${++this.#sessions}`;
    yield this.#human({
      type: "session.started",
      correlation: session,
      payload: { session, task, forced: false, workspace: this.#fingerprint() },
    });
    yield this.#state(session, "analyzing");
    const raised = { questions: [] as number[], blockers: [] as number[], proposals: [] as number[] };
    for (let count = this.random.below(6); count > 0; count--) yield* this.#signal(task, session, raised);
    yield this.#state(session, this.random.chance(0.6) ? "implementing" : "testing");
    const closing = this.random.weighted({ done: 51, partial: 26, stuck: 10, none: 13 });
    if (closing === "done" && this.#gated.has(task)) yield this.#gateAttempt(task, session);
    if (closing !== "none") yield this.#closing(task, session, closing);
    const drafts = raised.proposals.map((suggestion) => ({ suggestion, task: ++this.#lastTask }));
    const exit =
      closing === "none" ? this.random.pick<SessionExit>(["crashed", "timed_out", "exited"]) : "exited";
    yield this.#human({
      type: "session.ended",
      correlation: session,
      payload: { session, exit, workspace: this.#fingerprint() },
    });
    yield* this.#humans(task, raised, drafts);
    if (closing !== "done") this.#waiting.push(task);
    else if (!this.#growing) {
      yield this.#human({ type: "task.status_set", payload: { task, status: "pending" } });
      this.#waiting.push(task);
    }
  }

  *#signal(
    task: number,
    session: string,
    raised: { questions: number[]; blockers: number[]; proposals: number[] },
  ): Script {
    const origin = { task, session };
    const words = this.#words;
    switch (this.random.weighted({ learned: 129, flag: 97, ask: 58, suggest: 37, blocked: 36 })) {
      case "learned":
        yield this.#agent(session, {
          type: "signal.learned",
          payload: {
            text: this.#learning(),
            kind: this.random.pick(learningKinds),
            ...(this.random.chance(0.3) && { rationale: words.sentence(12) }),
            ...(this.random.chance(0.5) && { scope: this.random.pick(learningScopes) }),
            ...origin,
          },
        });
        return;
      case "flag":
        yield this.#agent(session, {
          type: "signal.flag",
          payload: {
            what: words.remark(18),
            severity: this.random.pick(severities),
            category: this.random.pick(flagCategories),
            ...origin,
          },
        });
        return;
      case "ask":
        raised.questions.push(
          yield this.#agent(session, {
            type: "signal.ask",
            payload: {
              question: words.remark(20),
              blocking: this.random.chance(0.55),
              options: [words.sentence(5), words.sentence(5)],
              ...origin,
            },
          }),
        );
        return;
      case "suggest": {
        const kind =
          this.#growing && this.random.chance(0.57) ? "new_task" : this.random.pick(suggestionKinds.slice(1));
        const position = yield this.#agent(session, {
          type: "signal.suggest",
          payload: { what: words.remark(8), kind, why: words.sentence(12), ...origin },
        });
        if (kind === "new_task") raised.proposals.push(position);
        return;
      }
      case "blocked":
        raised.blockers.push(
          yield this.#agent(session, {
            type: "signal.blocked",
            payload: this.random.chance(0.4)
              ? { on: this.#reference(task), kind: "upstream_task", ...origin }
              : { on: words.remark(6), kind: "external", detail: words.sentence(10), ...origin },
          }),
        );
    }
  }

  *#humans(
    task: number,
    raised: { questions: readonly number[]; blockers: readonly number[] },
    drafts: readonly { suggestion: number; task: number }[],
  ): Script {
    if (this.random.chance(0.15)) {
      yield this.#human({
        type: "comment.added",
        payload: { task, author: "human", body: this.#words.sentence(14) },
      });
    }
    for (const question of raised.questions) {
      if (this.random.chance(0.7)) {
        yield this.#human({
          type: "question.answered",
          payload: { task, question, answer: this.#words.sentence(10) },
        });
      }
    }
    for (const blocker of raised.blockers) {
      if (this.random.chance(0.7))
        yield this.#human({ type: "blocker.resolved", payload: { task, blocker } });
    }
    for (const { suggestion, task: draft } of drafts) {
      const approved = this.random.chance(0.7);
      yield this.#human({
        type: approved ? "suggestion.approved" : "suggestion.rejected",
        payload: { task: draft, suggestion },
      });
      if (approved) this.#waiting.push(draft);
    }
  }

  #newTask(): Draft {
    const task = ++this.#lastTask;
    const title = `${this.#words.sentence(4).slice(0, -1)} ${this.#words.name()}`;
    const gated = this.random.chance(0.15);
    this.#titles.set(task, title);
    this.#waiting.push(task);
    if (gated) this.#gated.add(task);
    return this.#human({
      type: "task.created",
      payload: {
        task,
        title,
        description: this.#words.sentence(30),
        feature: this.random.pick(this.#features),
        discipline: "general",
        priority: this.random.pick(priorities),
        status: "pending",
        depends_on: task > 10 && this.random.chance(0.3) ? [1 + this.random.below(task - 1)] : [],
        accept: "auto",
        gates: gated ? [{ command: "npm test", max: 5, timeout_s: 300 }] : [],
      },
    });
  }

  #closing(task: number, session: string, verb: "done" | "partial" | "stuck"): Draft {
    const origin = { task, session };
    const said = this.#words.remark(25);
    if (verb === "done")
      return this.#agent(session, { type: "signal.done", payload: { summary: said, ...origin } });
    if (verb === "stuck")
      return this.#agent(session, { type: "signal.stuck", payload: { reason: said, ...origin } });
    const remaining = this.#words.remark(15);
    return this.#agent(session, { type: "signal.partial", payload: { summary: said, remaining, ...origin } });
  }

  #gateAttempt(task: number, session: string): Draft {
    return this.#human({
      type: "gate.attempted",
      correlation: session,
      payload: {
        task,
        gate: 1,
        session,
        ...resultFromElsewhere({
          exit_code: this.random.chance(0.8) ? 0 : 1,
          duration_ms: this.random.below(60_000),
          stdout: this.#words.sentence(40),
        }),
      },
    });
  }

  #state(session: string, state: "analyzing" | "implementing" | "testing"): Draft {
    return this.#agent(session, { type: "session.state_reported", payload: { session, state } });
  }

  /** Mostly new, at times said before, or nearly so. */
  #learning(): string {
    if (this.#learned.length > 0 && this.random.chance(0.25)) {
      const before = this.random.pick(this.#learned);
      return this.random.chance(0.5) ? before : `${before} Always.`;
    }
    const text = this.#words.remark(16);
    this.#learned.push(text);
    return text;
  }

  /** How an upstream blocker names its task: by number, by title, or not so that anyone could find it. */
  #reference(own: number): string {
    const other = 1 + this.random.below(this.#lastTask);
    if (other === own || this.random.chance(0.25)) return this.#words.remark(6);
    const title = this.#titles.get(other);
    return title !== undefined && this.random.chance(0.35)
      ? `${title} is not there yet`
      : `task #${other}: ${this.#words.sentence(6)}`;
  }

  #agent(correlation: string, event: Untold): Draft {
    return { ...event, actor: "agent", correlation };
  }

  #human(event: Untold): Draft {
    return { ...event, actor: "human" };
  }

  #fingerprint(): string {
    return this.random.below(0xffffff).toString(16).padStart(6, "0");
  }
}

/** An event before it is said who acted. */
type Untold = { [T in Draft["type"]]: Omit<Draft<T>, "actor"> }[Draft["type"]];
