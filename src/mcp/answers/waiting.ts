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
import type { Store } from "../../decisions/store.ts";
import type { Caller } from "../caller.ts";
import { type AskedQuestion, isDecided, lookUp } from "./asked-question.ts";
import { questionForm, readForm } from "./form.ts";
import { tellProgress } from "./progress.ts";
import { recordAnswer } from "./record-answer.ts";
import { type SendRequest, shownForm } from "./shown-form.ts";

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
  async answerTo(
    asked: AskedQuestion,
    caller: Caller,
    sendRequest: SendRequest,
    wait_s: number,
  ): Promise<string | undefined> {
    const { id } = asked.question;
    if (this.#gone.aborted || caller.signal.aborted) return GONE;
    const wait = this.#waits.get(id) ?? this.#begin(asked, sendRequest, wait_s);
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

  #begin(asked: AskedQuestion, sendRequest: SendRequest, wait_s: number): Wait | undefined {
    if (this.#waits.size >= AT_ONCE) return undefined;
    const { id } = asked.question;
    const end = new AbortController();
    const outcome = this.#outcome(asked, sendRequest, wait_s, end.signal).finally(() =>
      this.#waits.delete(id),
    );
    const wait = { outcome, end, callers: 0 };
    this.#waits.set(id, wait);
    return wait;
  }

  async #outcome(
    asked: AskedQuestion,
    sendRequest: SendRequest,
    wait_s: number,
    end: AbortSignal,
  ): Promise<string | undefined> {
    const here = shownForm(sendRequest, questionForm(asked), wait_s).pipe(
      map((shown) => ("why" in shown ? shown : readForm(asked, shown.filled))),
    );
    const gone = merge(fromEvent(this.#gone, "abort"), fromEvent(end, "abort")).pipe(
      map(() => ({ why: GONE })),
    );
    const first = await firstValueFrom(merge(here, decidedElsewhere(this.#store, asked), gone));
    if ("why" in first) return first.why;
    await recordAnswer(this.#store, asked, first.answer);
    return undefined;
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
function decidedElsewhere(
  store: Store,
  { question, position }: AskedQuestion,
): Observable<{ why: undefined }> {
  return store.log.follow(position).pipe(
    // If the read model is briefly blocked, the next event triggers the next check.
    concatMap(() => from(lookUp(store, question.id)).pipe(catchError(() => EMPTY))),
    filter((now) => now !== undefined && isDecided(now)),
    map(() => ({ why: undefined })),
  );
}
