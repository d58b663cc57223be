# One image for web, worker and beat. Built in two steps, so that it does not contain Node.js.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --prefix=/install -r requirements.txt
RUN cp -a /install/. /usr/local/
COPY frontend frontend
RUN cd frontend && export BENCHDB_PYTHON=python3 && ./npm ci && ./npm run build && rm -rf node_modules

FROM python:3.11-slim
RUN useradd --system --create-home --home-dir /var/lib/benchdb benchdb
COPY --from=build /install /usr/local
WORKDIR /srv/benchdb
COPY manage.py ./
COPY benchdb benchdb
COPY agents agents
COPY docs docs
COPY --from=build /src/frontend/dist frontend/dist
COPY tools/container-entry /usr/local/bin/container-entry
# Here, because the file system is read-only when a process starts.
RUN python -m compileall -q benchdb agents
USER benchdb
VOLUME /var/lib/benchdb
ENTRYPOINT ["container-entry"]
CMD ["web"]
