import { request } from "node:http";
import type { Panel } from "../../../adapters/page/server/serve.ts";

type Reached = Pick<Panel, "address" | "port">;

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Told {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** Asks a panel as any program can, with any headers, Host included. The path is sent as it is. */
export function ask(
  panel: Reached,
  path: string,
  { method = "GET", headers = {}, body }: Asked = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: panel.port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The cookie that a browser gets at the address that was printed. */
export async function cookieOf(panel: Reached): Promise<string> {
  const { pathname, search } = new URL(panel.address);
  const { headers } = await ask(panel, `${pathname}${search}`);
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

/** The act of a page of ours. */
export async function actOn(
  panel: Reached,
  name: string,
  input: unknown,
  changed: Record<string, string> = {},
  key: string = crypto.randomUUID(),
) {
  return ask(panel, `/api/acts/${name}`, {
    method: "POST",
    headers: {
      cookie: await cookieOf(panel),
      origin: `http://127.0.0.1:${panel.port}`,
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
      ...changed,
    },
    body: JSON.stringify({ key, input }),
  });
}
