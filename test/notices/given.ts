import { onTestFinished } from "vitest";
import type { Project } from "../../src/api/project.ts";
import type { Draft } from "../../src/events/types/index.ts";
import type { Channel, ChannelError, Message } from "../../src/outside/notices/channel.ts";
import { takePartInNotices } from "../../src/outside/notices/notifier.ts";
import { freshProject, givenConfig } from "../support/project.ts";
import { starts, task } from "../web/support/work.ts";

/** A project with a task in a session, and people and channels as the configuration has them. */
export async function givenProject(config: object) {
  const { project, folder, db } = await freshProject();
  givenConfig(folder, config);
  await project.log.append([task(1, "Add export"), starts("s-1", 1)]);
  return { project, folder, db };
}

export const WEBHOOK = { kind: "webhook", url: "https://hooks.example/x", secret: { env: "HOOK" } };

/** A question that stops the task. */
export function asks(question: string, options: readonly string[] = []): Draft<"signal.ask"> {
  return {
    type: "signal.ask",
    actor: "agent",
    payload: {
      task: 1,
      session: "s-1",
      question,
      blocking: true,
      ...(options.length > 0 && { options: [...options] }),
    },
  };
}

/** What a channel was given, and how it answers next. */
export class RecordingChannel implements Channel {
  readonly messages: Message[] = [];
  fails: ChannelError | undefined;

  async send(message: Message): Promise<void> {
    this.messages.push(message);
    if (this.fails) throw this.fails;
  }
}

/** A notifier of the project whose channels record, by name. */
export function startNotifier(project: Project, db: string) {
  const channels = new Map<string, RecordingChannel>();
  const problems: string[] = [];
  const channel = (name: string) => {
    const known = channels.get(name) ?? new RecordingChannel();
    channels.set(name, known);
    return known;
  };
  const running = takePartInNotices(project, {
    readModelPath: db,
    report: (problem) => problems.push(problem),
    open: async (name) => channel(name),
  });
  onTestFinished(() => running.stop());
  return { channel, problems, stop: () => running.stop() };
}
