import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { Message } from "./channel.ts";

/** What `signalbox notify test` sends. */
export function testMessage(folder: string): Message {
  return {
    id: randomUUID(),
    notices: [
      {
        kind: "loop",
        subject: "A test of this channel",
        project: basename(folder),
        task: null,
        text: "signalbox notify test",
        detail: null,
        options: [],
        at: new Date().toISOString(),
        link: null,
        acts: [],
      },
    ],
  };
}
