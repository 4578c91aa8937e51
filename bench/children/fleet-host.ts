// A host of a fleet with a read model of its own, in a file where one is named: `fleet-host LOG_URL NUMBER [READ_MODEL]`.
import { setTimeout as delay } from "node:timers/promises";
import { openPostgresLog } from "../../adapters/postgres/postgres-log.ts";
import { type Decision, decide } from "../../src/decisions/decide.ts";
import { Refusal } from "../../src/decisions/refusal.ts";
import { stateOf } from "../../src/decisions/state.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { endSession, startSession } from "../../src/operations/sessions.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { serve, sharedClock_ms } from "../lib/child.ts";
import { flagEvent } from "../lib/project.ts";

export interface Decided {
  readonly decisions: number;
  /** How often one of them was planned. */
  readonly tries: number;
}

export interface Work {
  readonly agents: number;
  readonly tasks: number;
  readonly for_ms: number;
}

export interface Worked {
  readonly calls: number;
  /** The tasks that were claimed. */
  readonly claims: readonly number[];
  /** How often a claim was planned, refused ones included. */
  readonly tries: number;
  /** CPU of this process for calls, without what it took to reduce the events of others. */
  readonly call_ms: number;
  readonly reduce_ms: number;
  /** Events of others. */
  readonly events: number;
}

const [url = "", host = "0", file = ":memory:"] = process.argv.slice(2);
const environment = systemEnvironment();
const store = {
  log: await openPostgresLog(url, environment),
  readModel: new ReadModel(file),
  environment,
};
await catchUp(store.readModel, store.log);
const seen: [position: number, at_ms: number][] = [];
let sessions = 0;

serve(
  {
    /** Claims this host's task and ends the session, again and again. */
    async decide({ for_ms }: { readonly for_ms: number }): Promise<Decided> {
      let [decisions, tries] = [0, 0];
      const counted = <D extends Decision>(decision: D): D => ({
        ...decision,
        plan(state: Parameters<D["plan"]>[0]) {
          tries++;
          return decision.plan(state);
        },
      });
      // Task 1 is the one that facts are about.
      const task = Number(host) + 2;
      for (const end_ms = sharedClock_ms() + for_ms; sharedClock_ms() < end_ms; decisions += 2) {
        const session = `${host}-${process.pid}-${++sessions}`;
        const start = startSession({ task, session, force: true });
        await decide(store, counted(start), { actor: "human" });
        await decide(store, counted(endSession({ session, exit: "exited" })), { actor: "human" });
      }
      return { decisions, tries };
    },
    /** Reports so many facts a second. */
    async facts({ rate, for_ms }: { readonly rate: number; readonly for_ms: number }): Promise<number> {
      const [start_ms, waiting]: [number, Promise<unknown>[]] = [sharedClock_ms(), []];
      for (let sent = 0; ; ) {
        const passed_ms = sharedClock_ms() - start_ms;
        if (passed_ms > for_ms) break;
        for (; sent < (passed_ms * rate) / 1_000; sent++) waiting.push(store.log.append([flagEvent(sent)]));
        await delay(10);
      }
      await Promise.all(waiting);
      return waiting.length;
    },
    /** Lets agents make a call every second: one in ten claims a task, the others report. */
    async work({ agents, tasks, for_ms }: Work): Promise<Worked> {
      const worked = { calls: 0, claims: [] as number[], tries: 0, call_ms: 0, reduce_ms: 0, events: 0 };
      const end_ms = sharedClock_ms() + for_ms;
      // One call after the other, so that the CPU of each is known.
      let queue: Promise<unknown> = Promise.resolve();
      const agent = async (number: number) => {
        await delay(environment.jitter() * 1_000);
        for (let call = number; sharedClock_ms() < end_ms; call++) {
          const due_ms = sharedClock_ms() + 1_000;
          queue = queue.then(() => callOnce(call, tasks, worked));
          await queue;
          await delay(Math.max(0, due_ms - sharedClock_ms()));
        }
      };
      await Promise.all(Array.from({ length: agents }, (_, number) => agent(number * 5)));
      return worked;
    },
    follow: async () =>
      void store.log.follow(await store.log.head()).subscribe((events) => {
        const at_ms = sharedClock_ms();
        for (const { position } of events) seen.push([position, at_ms]);
      }),
    seen: () => seen,
  },
  () => store.log.close(),
);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

async function callOnce(
  call: number,
  tasks: number,
  worked: Mutable<Worked> & { claims: number[] },
): Promise<void> {
  const { log, readModel } = store;
  const before = [cpu_ms(), readModel.position()] as const;
  const head = await catchUp(readModel, log);
  const between_ms = cpu_ms();
  worked.reduce_ms += between_ms - before[0];
  worked.events += head - before[1];
  if (call % 10 === 0) await claim(tasks, worked);
  else await log.append([flagEvent(call)]);
  worked.calls++;
  worked.call_ms += cpu_ms() - between_ms;
}

async function claim(tasks: number, worked: Mutable<Worked> & { claims: number[] }): Promise<void> {
  const state = stateOf(store.readModel);
  for (;;) {
    // Task 1 is the one that facts are about.
    const task = 2 + Math.floor(environment.jitter() * (tasks - 1));
    if (state.tasks.get(task)?.status !== "pending") continue;
    const decision = startSession({ task, session: `${host}-${process.pid}-${++sessions}` });
    const plan: typeof decision.plan = (planned) => {
      worked.tries++;
      return decision.plan(planned);
    };
    try {
      await decide(store, { ...decision, plan }, { actor: "human" });
      worked.claims.push(task);
      return;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

function cpu_ms(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
