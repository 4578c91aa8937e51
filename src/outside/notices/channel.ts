import type { ChannelSettings, NoticeKind } from "../../config/notice-settings.ts";

/**
 * Something that a human is told. What an agent wrote is in `task.title`, `text`, `detail` and `options` alone, with secrets masked; a
 * channel must show it so that it cannot pass for the rest.
 */
export interface Notice {
  readonly kind: NoticeKind;
  /** What it is, in our words and one line: `A question blocks a task`. */
  readonly subject: string;
  /** The project's title or its folder's name. */
  readonly project: string;
  readonly task: { readonly id: number; readonly title: string } | null;
  readonly text: string;
  readonly detail: string | null;
  /** What a question can be answered with, the preferred one first. */
  readonly options: readonly string[];
  /** When it was recorded, in ISO 8601 and UTC. */
  readonly at: string;
  /** The page of this item; null where no address of the panel is known. */
  readonly link: string | null;
  /** What can be done about it from the channel itself; empty where nobody could be told apart there. */
  readonly acts: readonly NoticeAct[];
}

/** An act on an item, which is done by `POST answer.url` with `answer.body` as JSON. */
export interface NoticeAct {
  /** `answer`, `approve`; of an option the option itself. */
  readonly label: string;
  /** True if it takes a text, which is to be put into the body as `text`. */
  readonly needsText: boolean;
  readonly answer: {
    readonly url: string;
    readonly body: { readonly token: string; readonly act: string; readonly text?: string };
  };
}

/** What is sent at once: one notice, or a digest of several. */
export interface Message {
  /** The same each time that it is sent: the id of the event that it is about; of a digest one derived from all. */
  readonly id: string;
  /** At least one. */
  readonly notices: readonly Notice[];
}

/** An act that came back on a channel that knows who did it, such as Slack's socket. */
export interface ChannelAct {
  /** Who, as the channel knows: a member ID. */
  readonly account: string;
  readonly token: string;
  readonly act: string;
  readonly text?: string | undefined;
}

/**
 * Makes a channel as the configuration has it. Connects to nothing yet.
 *
 * @param name of the channel, for errors: `notices.channels.NAME`
 * @throws ConfigError: a secret is not there, or cannot be used; this system has no such channel
 */
export type OpenChannel = (
  name: string,
  settings: ChannelSettings,
  environment?: NodeJS.ProcessEnv,
) => Promise<Channel>;

/** A way to tell people; `OpenChannel` makes one. */
export interface Channel {
  /**
   * Resolves once the other side has taken the message.
   *
   * @param signal aborts it
   * @throws ChannelError
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /**
   * Receives answers until it is closed, and connects again where it was cut off; absent where the channel has none.
   *
   * @param handle does an act; resolves with what to tell the person
   * @param report is told what is wrong
   */
  listen?(handle: (act: ChannelAct) => Promise<string>, report: (problem: string) => void): { close(): void };
}

/** A message was not taken. `message` says why, without secrets and without the address where that is one. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
  /** True if the same message would be refused again, as it is or to this address; else the channel is tried again later. */
  readonly isFinal: boolean;
  /** How long the other side asks to wait, in seconds. */
  readonly retryAfter_s: number | undefined;

  constructor(
    message: string,
    {
      isFinal = false,
      retryAfter_s,
      cause,
    }: { isFinal?: boolean; retryAfter_s?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isFinal = isFinal;
    this.retryAfter_s = retryAfter_s;
  }
}
