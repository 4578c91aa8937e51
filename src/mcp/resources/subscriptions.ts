import { hash } from "node:crypto";
import { concatMap, defer, EMPTY, from, map, type Subscription, throttleTime } from "rxjs";
import type { Store } from "../../decisions/store.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { keepTrying } from "../keep-trying.ts";
import { askFor } from "../tool.ts";
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
 * Tells a client when what it was shown has changed, by whichever process. Invariant: the log is followed while there is
 * something to tell of and not stopped, and `#seen` is a position up to which everything was told.
 */
export class Subscriptions {
  readonly #store: Store;
  readonly #client: Client;
  /** A hash of what each resource showed last, by the URI as the client wrote it; "" where it shows nothing any more. */
  readonly #shown = new Map<string, string>();
  /** Which list was shown last; undefined: none. */
  #list: string | undefined;
  #seen = 0;
  #following: Subscription | undefined;

  constructor(store: Store, client: Client) {
    this.#store = store;
    this.#client = client;
  }

  /** @throws McpError: there is no such resource, or there are too many subscriptions */
  async add(uri: string): Promise<void> {
    if (this.#shown.size >= LIMIT && !this.#shown.has(uri)) {
      const advice = "unsubscribe from some, or subscribe to ralph://board for all tasks";
      throw wrongParams(
        "resources/subscribe",
        `there are ${LIMIT} subscriptions, the most there can be; ${advice}.`,
      );
    }
    const position = await askFor({ store: this.#store }, (readModel) => {
      const shown = hashOf(readModel, uri);
      if (shown === NOTHING) throw notFound(uri);
      this.#shown.set(uri, shown);
      return readModel.position();
    });
    this.#follow(position);
  }

  remove(uri: string): void {
    this.#shown.delete(uri);
    if (this.#shown.size === 0 && this.#list === undefined) this.stop();
  }

  /** From now on changes of the list are told. To be called in the snapshot in which the client is shown the list. */
  listShown(readModel: ReadModel): void {
    this.#list = listFingerprint(readModel);
    this.#follow(readModel.position());
  }

  /** Lets go of the log. */
  stop(): void {
    this.#following?.unsubscribe();
    this.#following = undefined;
  }

  #follow(after: number): void {
    if (this.#following) return;
    this.#seen = after;
    this.#following = defer(() => this.#store.log.follow(this.#seen))
      .pipe(
        map((events) => events.at(-1)?.position ?? 0),
        throttleTime(GATHER_MS, undefined, { leading: true, trailing: true }),
        // A look sees everything up to the head, so that notices of what it has seen need no other one.
        concatMap((position) => (position <= this.#seen ? EMPTY : from(this.#look()))),
        keepTrying((error) => this.#client.failed(error)),
      )
      .subscribe((changes) => this.#tell(changes));
  }

  #look(): Promise<Changes> {
    return askFor({ store: this.#store }, (readModel) => {
      const now = [...this.#shown.keys()].map((uri) => ({ uri, shown: hashOf(readModel, uri) }));
      const list = this.#list === undefined ? undefined : listFingerprint(readModel);
      const updated = now.filter(({ uri, shown }) => this.#shown.get(uri) !== shown).map(({ uri }) => uri);
      const listChanged = list !== this.#list;
      for (const { uri, shown } of now) this.#shown.set(uri, shown);
      this.#list = list;
      this.#seen = readModel.position();
      return { updated, listChanged };
    });
  }

  #tell({ updated, listChanged }: Changes): void {
    // What was unsubscribed during the look is not told any more.
    for (const uri of updated) if (this.#shown.has(uri)) this.#client.updated(uri);
    if (listChanged) this.#client.listChanged();
  }
}

interface Changes {
  readonly updated: readonly string[];
  readonly listChanged: boolean;
}

const NOTHING = "";

function hashOf(readModel: ReadModel, uri: string): string {
  const content = findContent(readModel, uri);
  return content ? hash("sha256", content.text) : NOTHING;
}
