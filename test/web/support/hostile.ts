import type { Project } from "../../../src/api/project.ts";
import { addComment } from "../../../src/operations/comments.ts";
import { createFeature } from "../../../src/operations/features.ts";
import { recordGateAttempt } from "../../../src/operations/gates.ts";
import { addLearning } from "../../../src/operations/learnings.ts";
import { describeProject } from "../../../src/operations/project.ts";
import { freshProject } from "../../support/project.ts";
import { end, freshTask, say, start } from "./agent.ts";

/** What would act on a page that took it for more than a text; `window.broken` tells. */
const HOSTILE_LINE = [
  "<img src=https://evil.example/a.png onerror='window.broken = 1'>",
  "<script>window.broken = 1</script>",
  '"><svg onload=window.broken=1>',
  "' onmouseover='window.broken=1",
  "{{constructor.constructor('window.broken=1')()}}",
  "[x](javascript:window.broken=1)",
  "https://evil.example/line",
  "\u202egnp.exe\u2066",
].join(" ");

const HOSTILE_TEXT = [
  HOSTILE_LINE,
  "<iframe src=javascript:parent.broken=1></iframe><form action=https://evil.example><button>go</button></form>",
  "<a href='data:text/html,<script>1</script>'>x</a><style>*{display:none}</style><base href=https://evil.example/>",
  "![a picture](https://evil.example/b.png) ![inline](data:image/svg+xml,<svg onload=alert(1)>)",
  "[bank.example](https://evil.example/login) <https://plain.example/x> [other](//evil.example/y) [ours](/api/acts/undo)",
  "[odd](JaVaScRiPt:window.broken=1) [tab](java\tscript:window.broken=1) <vbscript:x> [file](file:///etc/passwd)",
  "<meta http-equiv=refresh content='0;url=https://evil.example'><link rel=stylesheet href=https://evil.example/c.css>",
  "\u0007 a bell, \u001b[31mred\u001b[0m, a zero\u200bwidth space",
].join("\n\n");

/** A session's id as bad as it may be. */
const SESSION = "s-<img-src=x-onerror=window.broken=1>";

/** A project in which every text that somebody may write is hostile, and all of it is to be seen somewhere. */
export async function hostileProject(): Promise<{
  project: Project;
  task: number;
  session: string;
  /** The position of a done whose gate failed. */
  done: number;
}> {
  const { project } = await freshProject();
  const feature = "<b>feature</b>&{{x}}";
  await project.decide(describeProject({ title: HOSTILE_LINE, description: HOSTILE_TEXT }));
  await project.decide(
    createFeature({ name: feature, display_name: HOSTILE_LINE, description: HOSTILE_TEXT }),
  );
  const task = await freshTask(project, {
    title: HOSTILE_LINE,
    description: HOSTILE_TEXT,
    feature,
    gates: [{ command: `echo '${HOSTILE_LINE}'`, max: 1, timeout_s: 30 }],
    tags: ["<script>"],
    hints: HOSTILE_TEXT,
    criteria: [HOSTILE_LINE],
  });
  await project.decide(
    addComment({ task, author: "Eve <img src=x onerror=window.broken=1>", body: HOSTILE_TEXT }),
  );
  await project.decide(addLearning({ text: HOSTILE_TEXT, source: "human" }));
  await start(project, task, SESSION);
  const from = { task, session: SESSION };
  const options = [HOSTILE_LINE, HOSTILE_TEXT];
  await say(project, from, "ask", {
    question: HOSTILE_TEXT,
    blocking: true,
    options,
    preferred: HOSTILE_LINE,
  });
  await say(project, from, "flag", { what: HOSTILE_TEXT, severity: "blocking", category: "security" });
  await say(project, from, "learned", {
    text: `1 ${HOSTILE_TEXT}`,
    kind: "discovery",
    rationale: HOSTILE_TEXT,
  });
  await say(project, from, "suggest", {
    what: HOSTILE_TEXT,
    kind: "new_task",
    why: HOSTILE_TEXT,
    feature: HOSTILE_LINE,
  });
  await say(project, from, "blocked", { on: HOSTILE_TEXT, kind: "external", detail: HOSTILE_TEXT });
  const output = { stdout: HOSTILE_TEXT, stderr: HOSTILE_TEXT };
  await project.decide(recordGateAttempt({ task, gate: 1, exit_code: 1, ...output }));
  const done = await say(project, from, "done", { summary: HOSTILE_TEXT });
  await end(project, SESSION);
  for (const [verb, args] of [
    ["stuck", { reason: HOSTILE_TEXT }],
    ["partial", { summary: HOSTILE_TEXT, remaining: HOSTILE_TEXT }],
  ] as const) {
    const session = `${verb}-</script>`;
    await start(project, task, session);
    await say(project, { task, session }, verb, args);
    await end(project, session);
  }
  return { project, task, session: SESSION, done };
}
