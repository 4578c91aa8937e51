import { hash } from "node:crypto";
import { concatMap, defer, EMPTY, from, map, type Subscription, throttleTime } from "rxjs";
import type { Store } from "../../decisions/store.ts";
import { askAtHead } from "../../projections/ask.ts";
import { keepTrying } from "../../projections/keep-trying.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { notFound, wrongParams } from "./faults.ts";
import { listFingerprint } from "./list.ts";
import { findContent } from "./read.ts";

/** Changes that come within this time are told together. */
const GATHER_MS = 100;
/** Each subscription costs a look at every change. */
const LIMIT = 1_000;

/** Whom changes are told. */
export interface Client {
  updated(uri: string): void;
  listChanged(): void;
  /** Something keeps the log from being followed. */
  failed(error: unknown): void;
}

/**
 * Tells a client when what it was shown has changed, by whichever process. Invariants: the log is followed while there is
 * something to tell of, from a position up to which everything was told; what was shown last never goes back to an
 * earlier position, whatever overtakes a look.
 */
export class Subscriptions {
  readonly #store: Store;
  readonly #client: Client;
  /** By the URI as the client wrote it. */
  readonly #resources = new Map<string, Shown>();
  /** Undefined: the list was not shown. */
  #list: Shown | undefined;
  /** Up to here everything was told. */
  #told = 0;
  #following: Subscription | undefined;

  constructor(store: Store, client: Client) {
    this.#store = store;
    this.#client = client;
  }

  /** @throws McpError: there is no such resource, or there are too many subscriptions */
  async add(uri: string): Promise<void> {
    if (this.#resources.size >= LIMIT && !this.#resources.has(uri)) {
      const advice = "unsubscribe from some, or subscribe to ralph://board for all tasks";
      throw wrongParams(
        "resources/subscribe",
        `there are already ${LIMIT} subscriptions, the maximum; ${advice}.`,
      );
    }
    // In the snapshot, so that no look comes between what is shown and that it is watched.
    await askAtHead(this.#store, (readModel) => {
      const shown = showNow(readModel, uri);
      if (shown.digest === NOTHING) throw notFound(uri);
      this.#resources.set(uri, shown);
      this.#follow(shown.position);
    });
  }

  remove(uri: string): void {
    this.#resources.delete(uri);
    if (this.#resources.size === 0 && this.#list === undefined) this.stop();
  }

  /** From now on changes of the list are told. To be called in the snapshot in which the client is shown the list. */
  listShown(readModel: ReadModel): void {
    this.#list = listNow(readModel);
    this.#follow(this.#list.position);
  }

  /** Lets go of the log. */
  stop(): void {
    this.#following?.unsubscribe();
    this.#following = undefined;
  }

  #follow(after: number): void {
    if (this.#following) return;
    this.#told = after;
    this.#following = defer(() => this.#store.log.follow(this.#told))
      .pipe(
        map((events) => events.at(-1)?.position ?? 0),
        throttleTime(GATHER_MS, undefined, { leading: true, trailing: true }),
        // A look sees everything up to the head, so that notices of what it has seen need no other one.
        concatMap((position) => (position <= this.#told ? EMPTY : from(this.#look()))),
        keepTrying((error) => this.#client.failed(error)),
      )
      .subscribe((look) => this.#tell(look));
  }

  #look(): Promise<Look> {
    return askAtHead(this.#store, (readModel) => ({
      position: readModel.position(),
      resources: [...this.#resources.keys()].map((uri) => [uri, showNow(readModel, uri)] as const),
      list: this.#list && listNow(readModel),
    }));
  }

  #tell({ position, resources, list }: Look): void {
    for (const [uri, now] of resources) {
      if (!isNew(now, this.#resources.get(uri))) continue;
      this.#resources.set(uri, now);
      this.#client.updated(uri);
    }
    if (list && isNew(list, this.#list)) {
      this.#list = list;
      this.#client.listChanged();
    }
    this.#told = position;
  }
}

/** What a client was shown: a digest of it, and the position as of which it was so. */
interface Shown {
  readonly digest: string;
  readonly position: number;
}

interface Look {
  readonly position: number;
  readonly resources: readonly (readonly [uri: string, now: Shown])[];
  readonly list: Shown | undefined;
}

/** False also for what was unsubscribed, or shown anew, during the look. */
function isNew(now: Shown, before: Shown | undefined): boolean {
  return before !== undefined && now.digest !== before.digest && now.position >= before.position;
}

/** The digest of what is not there, or not any more. */
const NOTHING = "";

function showNow(readModel: ReadModel, uri: string): Shown {
  const content = findContent(readModel, uri);
  return { digest: content ? hash("sha256", content.text) : NOTHING, position: readModel.position() };
}

function listNow(readModel: ReadModel): Shown {
  return { digest: listFingerprint(readModel), position: readModel.position() };
}
