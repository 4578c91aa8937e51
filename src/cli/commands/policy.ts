import { type Command, InvalidArgumentError } from "commander";
import { setPolicy } from "../../decisions/policies.ts";
import { type PolicyName, policyNames } from "../../events/types/policies.ts";
import { print, printJson, printTable } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";

export function addPolicy(program: Command): void {
  const group = program.command("policy").description("what the project decides about settlement");

  readingOptions(group.command("list", { isDefault: true }).description("list the policies and their values"))
    .addHelpText("after", "\nExample:\n  signalbox policy list --json")
    .action((options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const policies = await queries.policies();
          if (options.json) printJson(policies);
          else
            printTable(
              ["policy", "value", "set at"],
              policies.map(({ name, value, position }) => [name, value, position ?? "default"]),
            );
        }),
      ),
    );

  writingOptions(
    group
      .command("set")
      .description("set a policy, for settlements from now on")
      .argument("<name>", `one of: ${policyNames.join(", ")}`, parsePolicy)
      .argument("<value>", "a whole number", parseId),
  )
    .addHelpText("after", "\nExample:\n  signalbox policy set stuck_limit 5")
    .action((policy: PolicyName, value: number, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await project.decide(setPolicy({ policy, value }), options.key);
          if (options.json) printJson({ name: policy, value, position: event.position });
          else print(`${policy} is ${value} from position ${event.position} on.`);
        }),
      ),
    );
}

function parsePolicy(text: string): PolicyName {
  const name = policyNames.find((known) => known === text);
  if (!name) throw new InvalidArgumentError(`There are these policies: ${policyNames.join(", ")}.`);
  return name;
}
