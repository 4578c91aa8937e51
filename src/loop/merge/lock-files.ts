/** The files in which package managers lock dependencies, with the command that installs exactly those. */
export const LOCK_FILES: Readonly<Record<string, string>> = {
  "package-lock.json": "npm ci",
  "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
  "yarn.lock": "yarn install --frozen-lockfile",
  "bun.lock": "bun install --frozen-lockfile",
  "bun.lockb": "bun install --frozen-lockfile",
  "uv.lock": "uv sync --frozen",
  "poetry.lock": "poetry install",
  "Gemfile.lock": "bundle install",
  "composer.lock": "composer install",
  "mix.lock": "mix deps.get",
};
