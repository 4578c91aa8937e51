import { openProject } from "../../../../src/api/project.ts";
import { createTask } from "../../../../src/operations/tasks.ts";
import { connectWith } from "../../../support/mcp.ts";
import { listenTo } from "../listen.ts";

/**
 * Subscribes to the board, is told of a change, and leaves: `unsubscribes`, `closes`, or `closes at once`, with
 * requests on their way. The project stays open; whatever still followed its log would keep this process alive.
 */
const [folder = "", leaves] = process.argv.slice(2);
const project = await openProject(folder);
const client = await connectWith(project.store, { recipe: "all" });
const heard = listenTo(client);
await client.subscribeResource({ uri: "ralph://board" });
await project.decide(createTask({ title: "Mail it" }));
await heard.until("updated ralph://board");
console.log("told");
if (leaves === "unsubscribes") await client.unsubscribeResource({ uri: "ralph://board" });
else if (leaves === "closes") await client.close();
else {
  const requests = [
    client.unsubscribeResource({ uri: "ralph://board" }),
    client.subscribeResource({ uri: "ralph://inbox" }),
    client.listResources(),
  ];
  for (const request of requests) request.catch(() => {});
  await client.close();
}
console.log("left");
