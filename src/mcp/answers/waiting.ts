import {
  catchError,
  concatMap,
  EMPTY,
  filter,
  firstValueFrom,
  from,
  fromEvent,
  map,
  merge,
  type Observable,
} from "rxjs";
import { decide } from "../../decisions/decide.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { Store } from "../../decisions/store.ts";
import { HUMAN } from "../../events/actors.ts";
import { answerQuestion } from "../../operations/inbox.ts";
import { type Asked, isDecided, lookUp } from "./asked.ts";
import { questionForm, readForm } from "./form.ts";
import { tellProgress } from "./progress.ts";
import { type Caller, shownForm } from "./shown-form.ts";

/** The questions open at a client, each shown once. */
export class Waiting {
  readonly #store: Store;
  readonly #gone: AbortSignal;
  readonly #waits = new Map<number, Wait>();

  /** @param gone aborted when the client disconnects: no question is shown any more */
  constructor(store: Store, gone: AbortSignal) {
    this.#store = store;
    this.#gone = gone;
  }

  /**
   * Waits until a human has answered a question here, or someone has decided it elsewhere. An
   * answer given here is recorded by then.
   *
   * @returns why there is no answer; undefined if the question's own state has the result
   */
  async answerTo(asked: Asked, caller: Caller, wait_s: number): Promise<string | undefined> {
    const { id } = asked.question;
    if (this.#gone.aborted || caller.signal.aborted) return GONE;
    const wait = this.#waits.get(id) ?? this.#begin(asked, caller, wait_s);
    if (!wait) return `${AT_ONCE} questions are already waiting for a human.`;
    wait.callers++;
    const leave = () => {
      if (--wait.callers === 0) wait.end.abort();
    };
    caller.signal.addEventListener("abort", leave, { once: true });
    const progress = tellProgress(caller, () => `Question ${id} is waiting for a human's answer.`);
    try {
      return await wait.outcome;
    } finally {
      progress?.unsubscribe();
      caller.signal.removeEventListener("abort", leave);
    }
  }

  #begin(asked: Asked, caller: Caller, wait_s: number): Wait | undefined {
    if (this.#waits.size >= AT_ONCE) return undefined;
    const { id } = asked.question;
    const end = new AbortController();
    const outcome = this.#outcome(asked, caller, wait_s, end.signal).finally(() => this.#waits.delete(id));
    const wait = { outcome, end, callers: 0 };
    this.#waits.set(id, wait);
    return wait;
  }

  async #outcome(
    asked: Asked,
    caller: Caller,
    wait_s: number,
    end: AbortSignal,
  ): Promise<string | undefined> {
    const here = shownForm(caller, questionForm(asked), wait_s).pipe(
      map((shown) => ("why" in shown ? shown : readForm(asked, shown.filled))),
    );
    const gone = merge(fromEvent(this.#gone, "abort"), fromEvent(end, "abort")).pipe(
      map(() => ({ why: GONE })),
    );
    const first = await firstValueFrom(merge(here, decidedElsewhere(this.#store, asked), gone));
    return "answer" in first ? this.#record(asked, first.answer) : first.why;
  }

  async #record({ question: { id, session_id } }: Asked, answer: string): Promise<undefined> {
    try {
      await decide(this.#store, answerQuestion({ id, answer }), { actor: HUMAN, correlation: session_id });
    } catch (error) {
      // Another human was faster: their decision stands.
      if (!(error instanceof Refusal) || error.code !== "already_decided") throw error;
    }
  }
}

interface Wait {
  readonly outcome: Promise<string | undefined>;
  /** Aborted when no call waits for it any more. */
  readonly end: AbortController;
  callers: number;
}

const GONE = "The client has disconnected.";
/** More forms at once would not help anyone. */
const AT_ONCE = 10;

/** Emits when the question is decided in another way, in any process. */
function decidedElsewhere(store: Store, { question, position }: Asked): Observable<{ why: undefined }> {
  return store.log.follow(position).pipe(
    // If the read model is briefly blocked, the next event triggers the next check.
    concatMap(() => from(lookUp(store, question.id)).pipe(catchError(() => EMPTY))),
    filter((now) => now !== undefined && isDecided(now)),
    map(() => ({ why: undefined })),
  );
}
