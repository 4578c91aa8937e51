/** The files in which package managers lock dependencies, with the command that installs exactly those. */
export const LOCK_FILES: Readonly<Record<string, string>> = {
  "package-lock.json": "npm ci",
  "npm-shrinkwrap.json": "npm ci",
  "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
  "yarn.lock": "yarn install --frozen-lockfile",
  "bun.lock": "bun install --frozen-lockfile",
  "bun.lockb": "bun install --frozen-lockfile",
  "uv.lock": "uv sync --frozen",
  "poetry.lock": "poetry install",
  "Pipfile.lock": "pipenv sync",
  "Gemfile.lock": "bundle install",
  "composer.lock": "composer install",
  "Cargo.lock": "cargo fetch --locked",
  "go.sum": "go mod download",
  "mix.lock": "mix deps.get",
};
