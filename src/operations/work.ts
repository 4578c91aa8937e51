import { z } from "zod";
import { Refusal } from "../decisions/refusal.ts";
import { loopStopAsked } from "../events/types/loops.ts";
import { workPaused } from "../events/types/work.ts";
import { quoteLine } from "../lib/terminal/output.ts";
import { type WorkPause, workPause } from "../queries/pause.ts";
import { byHumans } from "./by-humans.ts";
import { defineGroup } from "./group.ts";
import { defineOperation } from "./operation.ts";

const permit = byHumans("Only a human pauses the work or resumes it.");

/** No driver starts a session until the work is resumed. @throws Refusal `nothing_to_do`: it is paused */
export const pauseWork = defineOperation({
  type: "work.paused",
  input: workPaused.payload,
  permit,
  page: { name: "pause_work", takes: workPaused.payload, input: (given) => given },
  plan(payload, state) {
    const { actor } = state.pause.get(1) ?? {};
    if (actor !== undefined) {
      throw new Refusal("nothing_to_do", `The work is paused already, by ${actor}.`, {
        unchanged: "the work",
      });
    }
    return [{ type: "work.paused", payload }];
  },
  answer: ({ readModel }) => ({ paused: workPause(readModel) ?? null }),
  command: {
    name: "pause",
    does: "start no session until the work is resumed; those that run go on",
    takes: { reason: ["--reason <text>", "why, for people"] },
    example: "--reason 'The new schema is being rolled out.'",
    says: ({ paused }) =>
      paused ? "No driver starts a session until `signalbox work resume`." : "Resumed since.",
  },
});

/** Drivers start sessions again. @throws Refusal `nothing_to_do`: the work is not paused */
export const resumeWork = defineOperation({
  type: "work.resumed",
  input: z.strictObject({}),
  permit,
  page: { name: "resume_work", takes: z.strictObject({}), input: (given) => given },
  plan(payload, state) {
    if (!state.pause.get(1)) {
      throw new Refusal("nothing_to_do", "The work is not paused.", { unchanged: "the work" });
    }
    return [{ type: "work.resumed", payload }];
  },
  answer: ({ readModel }) => ({ paused: workPause(readModel) ?? null }),
  command: {
    name: "resume",
    does: "let drivers start sessions again",
    takes: {},
    example: "",
    says: ({ paused }) =>
      paused ? `Paused again by ${quoteLine(paused.actor)}.` : "Drivers start sessions again.",
  },
});

/**
 * Asks a driver, on whatever host, to start no session any more.
 *
 * @throws Refusal `not_found`; `nothing_to_do`: it has stopped
 */
export const stopLoop = defineOperation({
  type: "loop.stop_asked",
  input: loopStopAsked.payload,
  permit: byHumans("Only a human stops a driver."),
  page: { name: "stop_loop", takes: loopStopAsked.payload, input: (given) => given },
  plan(payload, state) {
    const { driver } = payload;
    const loop = state.loops.get(driver);
    if (!loop) {
      throw new Refusal(
        "not_found",
        `No loop ${driver} has run here. Run \`signalbox status\` to see those that run.`,
      );
    }
    if (loop.stopped_at !== null) {
      throw new Refusal("nothing_to_do", `The loop ${driver} stopped at ${loop.stopped_at}.`, {
        unchanged: "the loop",
      });
    }
    return [{ type: "loop.stop_asked", payload }];
  },
  answer: ({ input: { driver }, event }) => ({ driver, position: event.position }),
  command: {
    name: "stop",
    does: "ask a running loop to stop after the sessions that run",
    takes: { driver: ["<driver>", "the loop's name"], reason: ["--reason <text>", "why, for people"] },
    example: "d-1 --reason 'A release is being made.'",
    says: ({ driver }) =>
      `Asked the loop ${quoteLine(driver)} to stop after the sessions that run; \`signalbox status\` names it until it has.`,
  },
});

/** For people, who read why nothing starts. */
export function pauseLine({ actor, reason, since }: WorkPause): string {
  const why = reason === null ? "" : `: ${quoteLine(reason, 300)}`;
  return `Work is paused since ${since} by ${quoteLine(actor, 60)}${why}. Resume it with \`signalbox work resume\`.`;
}

export const work = defineGroup({
  name: "work",
  does: "pause the work of all drivers, resume it, or stop one of them",
  has: [pauseWork, resumeWork, stopLoop],
});
