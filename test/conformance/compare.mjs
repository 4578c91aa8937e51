/**
 * How the checks of a scenario differ from what is expected of it, a sentence each. Expected is "passes": a check succeeds and
 * none fails or warns; or `{ fails: { check: part of its error }, because }`: just those fail, each with that error, as a
 * scenario that fails in another way than was explained is not explained.
 */
export function differences(expected, checks) {
  const fails = expected === "passes" ? {} : expected.fails;
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const unexpected = bad
    .filter(({ id, errorMessage = "" }) => !(id in fails && errorMessage.includes(fails[id])))
    .map(({ id, status, errorMessage }) => `${id}: ${status}, ${errorMessage ?? "no error told"}; that was not expected.`);
  const passing = Object.keys(fails)
    .filter((id) => !bad.some((check) => check.id === id))
    .map((id) => `${id} was expected to fail and does not. Take it out of expected.json.`);
  const none = checks.some(({ status }) => status === "SUCCESS") || bad.length > 0 ? [] : ["No check succeeded."];
  return [...unexpected, ...passing, ...none];
}

/** How the suite's scenarios differ from those that are listed as run and as not run. */
export function listDifferences(names, { scenarios, notRun }) {
  const listed = [...Object.keys(scenarios), ...Object.keys(notRun)];
  return [
    ...names.filter((name) => !listed.includes(name)).map((name) => `${name} is not listed.`),
    ...listed.filter((name) => !names.includes(name)).map((name) => `${name} is no scenario of the suite.`),
    ...listed.filter((name, index) => listed.indexOf(name) < index).map((name) => `${name} is listed twice.`),
  ];
}
