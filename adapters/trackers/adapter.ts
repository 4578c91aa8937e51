import { ToldError } from "./core.ts";

/** An issue tracker, in the words of none of them: what the sync needs, and nothing more. Every text in it may be hostile. */
export interface TrackerAdapter {
  /** The name of its people in the configuration, and of those who decide for it in the log. */
  readonly kind: "github" | "gitlab";
  /** What a comment that acts begins with, before the act. Both forms are read everywhere; this one gets through. */
  readonly command: "/" | "/signalbox ";
  /** Names the repository on that service: part of the keys under which things are recorded. */
  readonly repository: string;
  /** All issues with the label, open and closed, in the order of their numbers; no pull requests. @throws TrackerError */
  issues(): Promise<readonly Issue[]>;
  /** Who wrote an issue; undefined: it was edited after it was listed. @throws TrackerError */
  history(issue: Issue): Promise<IssueHistory | undefined>;
  /** All comments on an issue, the oldest first. @throws TrackerError */
  comments(issue: number): Promise<readonly IssueComment[]>;
  /** @throws TrackerError */
  comment(issue: number, body: string): Promise<void>;
  /** Adds a label and removes others; those that people set meanwhile stay. @throws TrackerError */
  changeLabels(issue: number, add: string, remove: readonly string[]): Promise<void>;
  /** The open or merged pull request from a branch of the repository itself; undefined: there is none. @throws TrackerError */
  pullRequest(branch: string): Promise<PullRequest | undefined>;
  /** @throws TrackerError */
  openPullRequest(request: NewPullRequest): Promise<PullRequest>;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly author: string;
  readonly labels: readonly string[];
  /** Changes with each edit, comment and label. */
  readonly updated: string;
  readonly url: string;
}

/** An act on an issue, by an account. */
interface IssueAct {
  /** Empty for a program's, and for an account that is gone. */
  readonly by: string;
  /** In ms since 1970; 0: at the issue's beginning. */
  readonly at: number;
}

interface IssueHistory {
  /** Who gave it its present title and body. */
  readonly title: IssueAct;
  readonly body: IssueAct;
  /** Who gave it the label. */
  readonly labelled: readonly IssueAct[];
}

export interface IssueComment {
  readonly id: number;
  readonly body: string;
  readonly author: string;
  /** True if it was changed since it was written, by whomever: it is no answer then. */
  readonly isEdited: boolean;
}

interface PullRequest {
  readonly number: number;
  readonly url: string;
}

interface NewPullRequest {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

/** A request to a tracker failed; `message` says why and what would be right, without the token. */
export class TrackerError extends ToldError<"tracker"> {
  override readonly name = "TrackerError";
  readonly fault = "unusable";
  /** When it may be tried again, in milliseconds from now; undefined: it is not a matter of waiting. */
  readonly retryAfter_ms: number | undefined;
  /** The HTTP status; undefined: there was no answer. */
  readonly status: number | undefined;

  constructor(
    message: string,
    {
      retryAfter_ms,
      status,
      cause,
    }: { retryAfter_ms?: number | undefined; status?: number | undefined; cause?: unknown } = {},
  ) {
    super("tracker", message, { cause });
    this.retryAfter_ms = retryAfter_ms;
    this.status = status;
  }
}
