import type { Draft, Event } from "../../src/events/types/index.ts";

/** The event number `number` of a process: by turns in a stream of the process's own and in one that all share. */
export function eventOf(process: number, number: number): Draft<"comment.added"> {
  const task = number % 2 === 0 ? 100 + process : 1 + (number % 3);
  return {
    type: "comment.added",
    payload: { task, author: `process ${process}`, body: `${process}-${number}` },
    actor: "human",
  };
}

/** Which process made an event, and which of its events it is. @throws Error for an event of another kind */
export function madeBy({ payload }: Event): { readonly process: number; readonly number: number } {
  const [, process, number] = /^(\d+)-(\d+)$/.exec("body" in payload ? payload.body : "") ?? [];
  if (number === undefined) throw new Error("This event was made by no process of the test.");
  return { process: Number(process), number: Number(number) };
}
