import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { problem } from "./problem.ts";

/** A browser has one stream for all of its pages; without a secure origin one per page. */
const MOST_OPEN = 64;

/**
 * Limits the responses that stay open as long as their reader likes: each holds memory and a socket.
 */
export function limitOpen(): MiddlewareHandler<{ Bindings: HttpBindings }> {
  let open = 0;
  return async (context, next) => {
    if (open >= MOST_OPEN) return problem(context, 429, "too_many_connections", TOO_MANY);
    open++;
    context.env.outgoing.once("close", () => open--);
    return next();
  };
}

const TOO_MANY = `This server already has ${MOST_OPEN} open streams and downloads. Close some pages or programs that follow the log, then try again.`;
