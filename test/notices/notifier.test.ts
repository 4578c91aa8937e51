import { expect, test } from "vitest";
import { answerQuestion } from "../../src/operations/inbox.ts";
import { ChannelError } from "../../src/outside/notices/channel.ts";
import { givenConfig } from "../support/project.ts";
import { asks, givenProject, startNotifier, WEBHOOK } from "./given.ts";

/* Catches: a notice that is lost, told twice without need, or told after its item was settled. */

const ONE_CHANNEL = { notices: { url: "https://box.example", channels: { team: WEBHOOK } } };

test("what waits is told once for ever, under the id of its event, also by the next process", async () => {
  const { project, db } = await givenProject(ONE_CHANNEL);
  const first = startNotifier(project, db);
  const { events } = await project.log.append([asks("Sync or async?", ["sync", "async"])]);
  await expect
    .poll(() => first.channel("team").messages)
    .toMatchObject([
      {
        id: events[0]?.id,
        notices: [
          {
            kind: "question",
            subject: "An agent asks a question",
            task: { id: 1, title: "Add export" },
            text: "Sync or async?",
            options: ["sync", "async"],
            link: `https://box.example/inbox?item=question-${events[0]?.position}`,
          },
        ],
      },
    ]);
  await expect.poll(() => recorded(project)).toEqual(["notice.started", "notice.sent"]);
  first.stop();
  const second = startNotifier(project, db);
  await project.log.append([asks("And the other?")]);
  await expect
    .poll(() => second.channel("team").messages)
    .toMatchObject([{ notices: [{ text: "And the other?" }] }]);
});

test("a channel that fails is tried again under the same id, and nothing else is told on it meanwhile", async () => {
  const { project, db } = await givenProject(ONE_CHANNEL);
  const { channel, problems } = startNotifier(project, db);
  channel("team").fails = new ChannelError("the server answered 500");
  await project.log.append([asks("One?")]);
  await expect.poll(() => channel("team").messages.length).toBe(1);
  await project.log.append([asks("Two?")]);
  await expect.poll(() => problems).toEqual(["Notices: team: the server answered 500"]);
  channel("team").fails = undefined;
  await expect.poll(() => channel("team").messages.length).toBe(3);
  const [failed, second, again] = channel("team").messages;
  expect(second?.notices[0]?.text).toBe("Two?");
  expect(again).toEqual(failed);
});

test("what is refused for good is a dead letter until somebody retries it", async () => {
  const { project, db } = await givenProject(ONE_CHANNEL);
  const { channel } = startNotifier(project, db);
  channel("team").fails = new ChannelError("the server answered 410", { isFinal: true });
  await project.log.append([asks("One?")]);
  await expect.poll(() => recorded(project)).toEqual(["notice.started", "notice.failed"]);
  expect(channel("team").messages).toHaveLength(1);
});

test("what was settled while the channel failed is not told any more", async () => {
  const { project, db } = await givenProject(ONE_CHANNEL);
  const { channel } = startNotifier(project, db);
  channel("team").fails = new ChannelError("no answer");
  const { events } = await project.log.append([asks("One?")]);
  await expect.poll(() => channel("team").messages.length).toBe(1);
  await project.decide(answerQuestion({ id: events[0]?.position ?? 0, answer: "sync" }));
  channel("team").fails = undefined;
  await project.log.append([asks("Two?")]);
  await expect.poll(() => channel("team").messages.length).toBe(2);
  expect(channel("team").messages[1]?.notices[0]?.text).toBe("Two?");
});

test("a digest that failed is told again with all that it had, whatever its rules say by then", async () => {
  const rules = [
    { channels: ["team"], kinds: ["question"], digest_s: 1 },
    { channels: ["team"], digest_s: 2 },
  ];
  const { project, db } = await givenProject({ notices: { ...ONE_CHANNEL.notices, rules } });
  const { channel } = startNotifier(project, db);
  channel("team").fails = new ChannelError("no answer");
  await project.log.append([
    asks("One?"),
    {
      type: "gate.declared",
      actor: "agent",
      payload: { task: 1, gate: 1, command: "npm test", max: 5, timeout_s: 60 },
    },
  ]);
  await expect.poll(() => channel("team").messages.length).toBe(1);
  channel("team").fails = undefined;
  await expect.poll(() => channel("team").messages.length).toBe(2);
  const [failed, again] = channel("team").messages;
  expect(failed?.notices).toHaveLength(2);
  expect(again).toEqual(failed);
});

test("an option with a secret is shown masked, and cannot be chosen from the notice", async () => {
  const { project, db } = await givenProject({
    people: { ada: { channels: ["team"] } },
    notices: ONE_CHANNEL.notices,
  });
  const { channel } = startNotifier(project, db);
  await project.log.append([asks("Which?", ["password=hunter2hunter2", "none"])]);
  await expect.poll(() => channel("team").messages.length).toBe(1);
  const told = JSON.stringify(channel("team").messages);
  expect(told).not.toContain("hunter2hunter2");
  expect(channel("team").messages[0]?.notices[0]?.acts.map(({ label }) => label)).toEqual([
    "none",
    "answer",
    "dismiss",
  ]);
});

test("a change of the configuration that has nothing to do with notices tells nothing twice", async () => {
  const { project, folder, db } = await givenProject(ONE_CHANNEL);
  const { channel } = startNotifier(project, db);
  await project.log.append([asks("One?")]);
  await expect.poll(() => recorded(project)).toEqual(["notice.started", "notice.sent"]);
  givenConfig(folder, { ...ONE_CHANNEL, jobs: 2 });
  await project.log.append([asks("Two?")]);
  await expect.poll(() => channel("team").messages.length).toBe(2);
});

async function recorded(project: Awaited<ReturnType<typeof givenProject>>["project"]) {
  return (await project.log.read(0, 1_000))
    .map(({ type }) => type)
    .filter((type) => type.startsWith("notice."));
}
