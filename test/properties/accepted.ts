import fc from "fast-check";
import { expect, test } from "vitest";
import { type OpenLog, withLog } from "../../adapters/testing/log-contract/opened-log.ts";
import { type Decision, decide, type PlannedEvent } from "../../src/decisions/decide.ts";
import { Refusal } from "../../src/decisions/refusal.ts";
import { stateOf } from "../../src/decisions/state.ts";
import type { Store } from "../../src/decisions/store.ts";
import { replayEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { reduceLog } from "../../src/read-model/engine.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { type Command, type History, histories } from "./commands.ts";
import { actorOf, buildCatalogue, PRESENT_US, perform } from "./executor.ts";
import { decisionOf } from "./resolve.ts";
import { assertUntil } from "./runs.ts";

/*
 * Catches: a log that accepts a decision although events came that change its plan: its condition is not checked, or before the
 * events of another handle are in, or the plan is made on a state that is older than the condition says.
 */

/** @param tried how many histories */
export function describeAccepted(name: string, open: OpenLog, tried: number): void {
  test(`in ${name} an accepted decision has read nothing that changed`, async () => {
    const counts = { passed: 0, again: 0 };
    await assertUntil(
      fc.asyncProperty(histories, (history) =>
        withLog(open, async ({ log, another }) => {
          await decideBeside(history, { mine: log, other: await another() }, counts);
        }),
      ),
      tried,
      () => Math.min(counts.passed, counts.again) > tried / 4,
    );
  });
}

/** How often events came between plan and append that the condition let pass, and how often it let plan again. */
interface Counts {
  passed: number;
  again: number;
}

/** Decides what a history says. Between each decision's plan and its append another handle does what the history has next. */
async function decideBeside(
  { project, commands }: History,
  logs: { readonly mine: EventLog; readonly other: EventLog },
  counts: Counts,
): Promise<void> {
  const other = storeOn(logs.other, "other");
  await buildCatalogue(other);
  const creations = project.map((task): Command => ({ do: "create", task }));
  const queue = [...creations, ...commands];
  let steps = 0;
  const next = async () => {
    const command = queue.shift();
    if (command) await perform(other, stateOf(other.readModel), command, `step ${steps++}`);
  };
  for (const _ of creations) await next();

  const between: (() => Promise<void>)[] = [];
  const mine = storeOn(withBefore(logs.mine, between), "mine");
  const asOf = new ReadModel(":memory:");
  for (;;) {
    await catchUp(mine.readModel, mine.log);
    const command = queue.shift();
    if (!command) break;
    if (!decides(command)) {
      await perform(other, stateOf(other.readModel), command, `step ${steps++}`);
      continue;
    }
    const decision = decisionOf(stateOf(mine.readModel), command);
    const plans: (readonly PlannedEvent[])[] = [];
    between.splice(0, 1, next);
    const before = mine.readModel.position();
    const first = await positionOf(decide(mine, noting(decision, plans), { actor: actorOf(command) }));
    if (first === undefined) continue;
    await reduceLog(logs.mine, asOf, { until: first - 1 });
    expect(plans.at(-1), `${decision.type} at ${first}`).toEqual(decision.plan(stateOf(asOf)));
    if (plans.length > 1) counts.again += 1;
    else if (first > before + 1) counts.passed += 1;
  }
  for (const { readModel } of [mine, other, { readModel: asOf }]) readModel.close();
}

function storeOn(log: EventLog, seed: string): Store {
  return {
    log,
    readModel: new ReadModel(":memory:"),
    environment: replayEnvironment(seed, () => PRESENT_US),
  };
}

/** A handle that does what is in `before` before it appends. */
function withBefore(log: EventLog, before: (() => Promise<void>)[]): EventLog {
  const append: EventLog["append"] = async (...args) => {
    await before.pop()?.();
    return log.append(...args);
  };
  return new Proxy(log, {
    get(target, name) {
      if (name === "append") return append;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function noting(decision: Decision, plans: (readonly PlannedEvent[])[]): Decision {
  return {
    ...decision,
    plan(state) {
      const planned = decision.plan(state);
      plans.push(planned);
      return planned;
    },
  };
}

/** The position of a decision's first event; undefined if it is refused. */
async function positionOf(decided: ReturnType<typeof decide>): Promise<number | undefined> {
  try {
    return (await decided)[0].position;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

function decides(command: Command): command is Exclude<Command, { do: "signal" | "state" }> {
  return command.do !== "signal" && command.do !== "state";
}
