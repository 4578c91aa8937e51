# signalbox with git, for a project in /project: docs/docker.md says how to build and use it.
# docs/decisions/0068-todays-node.md
ARG BASE=node:24-bookworm-slim

FROM $BASE AS builder
WORKDIR /signalbox
COPY package.json package-lock.json ./
COPY scripts/node scripts/node
# The secret says how npm reaches its registry, where that takes more than npm's defaults.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts
COPY . .
# The package as it is published, with its dependencies as they are locked. pg is one of them here, for logs on PostgreSQL.
RUN npm run build && npm pack --ignore-scripts --silent \
  && mkdir /opt/signalbox && tar -xzf signalbox-*.tgz --strip-components=1 --no-same-owner -C /opt/signalbox
RUN npm pkg set "dependencies.pg=$(node -p 'require("./package.json").devDependencies.pg')" && npm pkg delete devDependencies.pg \
  && npm prune --omit=dev --ignore-scripts && mv node_modules /opt/signalbox/ && cd /opt/signalbox/node_modules \
  && rm -rf better-sqlite3/deps better-sqlite3/src && find . -maxdepth 1 -type d -empty -delete

FROM $BASE
LABEL org.opencontainers.image.title="signalbox" \
  org.opencontainers.image.description="Runs coding agents on a list of tasks, with an event log that says why" \
  org.opencontainers.image.licenses="MIT"
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git tini && rm -rf /var/lib/apt/lists/*
COPY --from=builder /opt/signalbox /opt/signalbox
RUN ln -s /opt/signalbox/bin/signalbox.js /usr/local/bin/signalbox && ln -s /opt/signalbox/bin/signalbox-verify.js /usr/local/bin/signalbox-verify
# A new volume that is mounted there takes over its owner.
RUN install -d -o node -g node /project
USER node
# Also for users without an entry in /etc/passwd, as with `docker run --user`.
ENV HOME=/home/node
WORKDIR /project
VOLUME /project
EXPOSE 4100
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["signalbox", "health"]
# Passes signals on and reaps orphans, as process 1 must; -s: also below another init.
ENTRYPOINT ["tini", "-s", "--", "signalbox"]
CMD ["status"]
