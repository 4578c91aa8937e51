import type { AppendCondition, Appended } from "../../src/events/log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import type { LogErrorCode } from "../../src/lib/log-error.ts";
import type { Child } from "../children.ts";

/** What `children/work-on-project.ts` is told to do: to append, or to say all that it sees, also of a stream. */
export type Order =
  | { readonly append: readonly Draft[]; readonly condition?: AppendCondition | undefined }
  | { readonly look: string };

export interface Answer {
  readonly outcome: Appended["outcome"] | LogErrorCode;
  readonly positions: readonly number[];
  /** Of an error of the disk. */
  readonly message?: string;
}

export interface Look {
  readonly head: number;
  /** The ids of the log's events, and of a stream's. */
  readonly read: readonly string[];
  readonly stream: readonly string[];
  readonly streamVersion: number;
  /** The position to which the read model was brought, and what it holds then. */
  readonly reduced: number;
  readonly contentHash: string;
  /** The positions that a follower was told of, up to the head. */
  readonly followed: readonly number[];
}

/** A process that has a project open. */
export class OtherProcess {
  readonly #child: Child;

  constructor(child: Child) {
    this.#child = child;
  }

  async ready(): Promise<this> {
    await this.#answer();
    return this;
  }

  append(events: readonly Draft[], condition?: AppendCondition): Promise<Answer> {
    this.#tell({ append: events, condition });
    return this.#parsed<Answer>();
  }

  look(stream = "task-7"): Promise<Look> {
    this.#tell({ look: stream });
    return this.#parsed<Look>();
  }

  /** Lets it come to its end. */
  async end(): Promise<void> {
    this.#child.process.stdin?.end();
    await this.#child.finish();
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }

  #tell(order: Order): void {
    this.#child.tell(JSON.stringify(order));
  }

  /** The child is of the same build, so its answers are of the type that it was asked for. */
  async #parsed<Type>(): Promise<Type> {
    return JSON.parse(await this.#answer());
  }

  async #answer(): Promise<string> {
    const { value, done } = await this.#child.lines.next();
    if (done) throw new Error(`The process ended unasked: ${await this.#child.finish()}`);
    return value;
  }
}
