# The image of the service: the bundled command line, on a Node with SQLite 3.51.3 or later (Node 24.21). Runs without root, on a read-only root file system.
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
WORKDIR /image/app
COPY . .
# one step, because storing a layer with all build files takes longer than making it. Also adds the command `animal-store`
RUN npm ci --ignore-scripts && npm run build && rm -r src tsconfig.json scripts \
  # the bundle includes its packages, and Node has SQLite; the library is unused
  && rm -r node_modules dist/.tsbuildinfo \
  && find dist -mindepth 1 -maxdepth 1 -type d ! -name swagger-ui -exec rm -r {} + \
  # types and source maps, unused at run time
  && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && chmod +x dist/cli.js && mkdir -p ../usr/local/bin && ln -s /app/dist/cli.js ../usr/local/bin/animal-store

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
EXPOSE 8080
# checks the process, not its database, which a restart does not repair. A request by bash takes a few milliseconds; a Node
# process would take a hundred times as much CPU
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /health/live HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]"]
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["serve"]
WORKDIR /app
COPY --from=build /image /
# deploy/docker-compose.embedded.yml mounts a second volume at /backups. Group 0 has access, because OpenShift runs containers
# as a random user of that group
RUN mkdir -m 0770 /data /backups && chown 1000:0 /data /backups
VOLUME /data
# the user `node`, by number, because Kubernetes' runAsNonRoot cannot resolve names
USER 1000:1000
