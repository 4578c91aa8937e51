import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type AnyObjectSchema,
  getLiteralValue,
  getObjectShape,
  isZ4Schema,
  type SchemaOutput,
} from "@modelcontextprotocol/sdk/server/zod-compat.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { z } from "zod";
import { checkRequest } from "../check-request.ts";

type Handler<Schema extends AnyObjectSchema> = Parameters<
  typeof Server.prototype.setRequestHandler<Schema>
>[1];

/**
 * The SDK's server, except that a request with invalid parameters gets -32602 and the wrong fields,
 * including `initialize` and `ping`. The SDK answers -32603, as if the server had failed, with a
 * dump of zod.
 */
export class CheckedServer extends Server {
  override setRequestHandler<Schema extends AnyObjectSchema>(schema: Schema, handler: Handler<Schema>): void {
    const method = String(getLiteralValue(getObjectShape(schema)?.method ?? z.undefined()));
    this.setHandler(method, (request, extra) => handler(parseRequest(method, schema, request), extra));
  }

  /** @param handler checks the parameters itself */
  setHandler(method: string, handler: Handler<AnyRequest>): void {
    // Bypasses the SDK's server, which would parse a tool call again with its own schema.
    Protocol.prototype.setRequestHandler.call(this, anyRequest(method), handler);
  }

  /** MCP, Tasks: a server that does not declare tasks ignores a request's task field. */
  protected override assertTaskHandlerCapability(): void {}
}

function anyRequest(method: string) {
  return z.looseObject({ method: z.literal(method), params: z.unknown().optional() });
}
type AnyRequest = ReturnType<typeof anyRequest>;

/** @throws RequestError -32602 */
function parseRequest<Schema extends AnyObjectSchema>(
  method: string,
  schema: Schema,
  request: object,
): SchemaOutput<Schema> {
  if (!isZ4Schema(schema)) throw new Error(`The schema of ${method} is not a zod 4 schema.`);
  // The SDK's types do not show that a zod 4 schema's output is the same for it.
  return checkRequest(method, schema, request) as SchemaOutput<Schema>;
}
