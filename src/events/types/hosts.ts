import { z } from "zod";
import { defineEvent } from "../event.ts";
import { hostId, hostStream } from "./fields.ts";

export const hostLost = defineEvent({
  type: "host.lost",
  version: 1,
  description:
    "A host was declared lost: its sessions that had started by then are ended as cancelled, and its gate runs as interrupted.",
  payload: z.strictObject({
    host: hostId,
    /** Counts from 1; a host that comes back takes the next one. */
    epoch: z.int().min(1),
  }),
  stream: hostStream,
  timeline: ({ host }) => `Host ${host} was declared lost.`,
  example: { host: "5b1c8a52-90d4-8e0f-a6a3-0c6f2f7d9a11", epoch: 1 },
});

/** Every event of this family, in the order of docs/events.md. */
export const hostEvents = [hostLost] as const;
