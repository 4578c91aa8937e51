import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { problem } from "./problem.ts";
import type { VisitorVariables } from "./visitor.ts";

/** A browser has one stream for all of its pages; without a secure origin one per page. */
const MOST_OPEN = 64;

/**
 * Limits the responses of one person that stay open as long as their reader likes: each holds memory and a socket. So nobody takes
 * those of others.
 */
export function limitOpen(): MiddlewareHandler<{ Bindings: HttpBindings } & VisitorVariables> {
  const open = new Map<string, number>();
  return async (context, next) => {
    const { name, by } = context.var.visitor;
    const person = JSON.stringify([name, by === "address"]);
    const add = (change: 1 | -1) => open.set(person, (open.get(person) ?? 0) + change);
    if ((open.get(person) ?? 0) >= MOST_OPEN) return problem(context, 429, "too_many_connections", TOO_MANY);
    add(1);
    context.env.outgoing.once("close", () => add(-1));
    return next();
  };
}

const TOO_MANY = `You already have ${MOST_OPEN} open streams and downloads here. Close some pages or programs that follow the log, then try again.`;
