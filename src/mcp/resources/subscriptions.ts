import { hash } from "node:crypto";
import { concatMap, defer, EMPTY, from, map, type Subscription, throttleTime } from "rxjs";
import type { Store } from "../../decisions/store.ts";
import { askAtHead } from "../../read-model/ask.ts";
import { keepTrying } from "../../read-model/keep-trying.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { notFound, wrongParams } from "./faults.ts";
import { listFingerprint } from "./list.ts";
import { findContent } from "./read.ts";

/** Changes within this time share a notification. */
const GATHER_MS = 100;
/** Each subscription is checked on every change. */
const LIMIT = 1_000;

/** The receiver of notifications. */
export interface Client {
  updated(uri: string): void;
  listChanged(): void;
  /** Following the log failed. */
  failed(error: unknown): void;
}

/**
 * Notifies a client when something that it was shown has changed, in any process. Invariants: the
 * log is followed while there is a subscription, from a position up to which all changes were
 * notified; the last shown position never goes back, even if checks overtake each other.
 */
export class Subscriptions {
  readonly #store: Store;
  readonly #client: Client;
  /** By the URI in the client's spelling. */
  readonly #resources = new Map<string, Shown>();
  /** Undefined: the list was not shown. */
  #list: Shown | undefined;
  /** All changes up to here were notified. */
  #told = 0;
  #following: Subscription | undefined;

  constructor(store: Store, client: Client) {
    this.#store = store;
    this.#client = client;
  }

  /** @throws RequestError: there is no such resource, or there are too many subscriptions */
  async add(uri: string): Promise<void> {
    if (this.#resources.size >= LIMIT && !this.#resources.has(uri)) {
      const advice = "unsubscribe from some, or subscribe to ralph://board for all tasks";
      throw wrongParams(
        "resources/subscribe",
        `there are already ${LIMIT} subscriptions, the maximum; ${advice}.`,
      );
    }
    // In the snapshot, so that no check runs between showing and watching.
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

  /**
   * Watches the list from now on. Call it in the snapshot in which the client is shown the list.
   */
  listShown(readModel: ReadModel): void {
    this.#list = listNow(readModel);
    this.#follow(this.#list.position);
  }

  /** Releases the log. */
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
        // A check covers everything up to the head, so notices of earlier events need no other
        // check.
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

/** The last shown state: a digest, and its position. */
interface Shown {
  readonly digest: string;
  readonly position: number;
}

interface Look {
  readonly position: number;
  readonly resources: readonly (readonly [uri: string, now: Shown])[];
  readonly list: Shown | undefined;
}

/** False also if it was unsubscribed, or shown again, during the check. */
function isNew(now: Shown, before: Shown | undefined): boolean {
  return before !== undefined && now.digest !== before.digest && now.position >= before.position;
}

/** The digest of a missing or deleted resource. */
const NOTHING = "";

function showNow(readModel: ReadModel, uri: string): Shown {
  const content = findContent(readModel, uri);
  return { digest: content ? hash("sha256", content.text) : NOTHING, position: readModel.position() };
}

function listNow(readModel: ReadModel): Shown {
  return { digest: listFingerprint(readModel), position: readModel.position() };
}
