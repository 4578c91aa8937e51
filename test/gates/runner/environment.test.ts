import { expect, test } from "vitest";
import { gateEnvironment } from "../../../src/gates/runner/environment.ts";

test("a command's environment has exactly the listed and allowed names", () => {
  const from = {
    PATH: "/bin",
    HOME: "/home/me",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    LC_TIME: "C",
    TZ: "UTC",
    TERM: "dumb",
    CI: "",
    NODE_OPTIONS: "--require x",
    LD_PRELOAD: "x.so",
    BASH_ENV: "x.sh",
    GITHUB_TOKEN: "secret",
    RALPH_SESSION_ID: "s-1",
    PATHS: "no",
    path: "no",
    LCX: "no",
    DATABASE_URL: "postgres://",
    UNDEFINED: undefined,
  };
  const always = {
    PATH: "/bin",
    HOME: "/home/me",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    LC_TIME: "C",
    TZ: "UTC",
    TERM: "dumb",
    CI: "",
  };
  expect(gateEnvironment(from)).toEqual(always);
  expect(gateEnvironment(from, ["DATABASE_URL", "UNDEFINED", "ABSENT", "database_url"])).toEqual({
    ...always,
    DATABASE_URL: "postgres://",
  });
});

test("no command gets the log's URL, which may hold a password, not even where the project names it", () => {
  const url = "postgres://shop:canary@db.example/fleet";
  expect(gateEnvironment({ SIGNALBOX_LOG_URL: url }, ["SIGNALBOX_LOG_URL"])).toEqual({});
});
