import { UNREAD_LIMIT_BYTES } from "../message-limit.ts";
import { NOT_KEPT } from "./refuse.ts";

/** Shorter than the patience of what commonly stands between a client and a server. */
const COMMENT_MS = 15_000;

/** A response that tells messages as they come, as server-sent events. */
export class EventStream {
  readonly response: Response;
  readonly #beats: NodeJS.Timeout;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** @param onCancel the client has gone, or leaves too much unread */
  constructor(onCancel: () => void) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#over();
        onCancel();
      },
    });
    const headers = { ...NOT_KEPT, "Content-Type": "text/event-stream" };
    this.response = limitUnread(new Response(body, { headers }));
    this.#beats = setInterval(() => this.#write(": still here\n\n"), COMMENT_MS).unref();
  }

  send(message: object): void {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  end(): void {
    const controller = this.#controller;
    this.#over();
    controller?.close();
  }

  #write(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }

  #over(): void {
    clearInterval(this.#beats);
    this.#controller = undefined;
  }
}

/** Whether a response is a stream, which goes on after it was returned. */
export function isStream({ body, headers }: Response): boolean {
  return body !== null && headers.get("content-type") === "text/event-stream";
}

/** Cuts a stream off, and cancels it, when its client leaves too much unread. @param onEnd called when it has ended, however */
export function limitUnread(response: Response, onEnd: () => void = () => {}): Response {
  const { body, status, headers } = response;
  if (!body || !isStream(response)) return response;
  const reader = body.getReader();
  const limited = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Not pulled: what the client leaves unread is counted here.
        void forward(reader, controller)
          .catch((error) => controller.error(error))
          .finally(onEnd);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: UNREAD_LIMIT_BYTES }),
  );
  return new Response(limited, { status, headers });
}

/** @throws Error: too much is unread */
async function forward(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return close(controller);
    controller.enqueue(value);
    if ((controller.desiredSize ?? 0) > 0) continue;
    const error = new Error(`The client left more than ${UNREAD_LIMIT_BYTES} bytes unread.`);
    await reader.cancel(error);
    throw error;
  }
}

/** The client may have cancelled it just before. */
function close(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {}
}
