import type { IssueComment } from "./adapter.ts";
import { projectMac } from "./core.ts";

/** Marks in comments, which no reader sees: what was told, so that it is told once. Nobody else can make them. */
export interface Marks {
  /** @param what such as an event's id */
  mark(issue: number, what: string): string;
  isIn(comments: readonly IssueComment[], issue: number, what: string): boolean;
}

export function marksOf(readModelPath: string, repository: string): Marks {
  const mac = projectMac(readModelPath);
  const mark = (issue: number, what: string) => {
    const sum = mac(JSON.stringify(["mark", repository, issue, what]))
      .toString("hex")
      .slice(0, 32);
    return `<!-- signalbox ${what} ${sum} -->`;
  };
  return {
    mark,
    isIn: (comments, issue, what) => comments.some(({ body }) => body.includes(mark(issue, what))),
  };
}
