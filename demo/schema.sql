-- The tables that the service writes. `last_token`, `version` and `revision` are what the fenced forms compare.

CREATE TABLE orders (
  id       BIGINT PRIMARY KEY,
  sold_on  DATE NOT NULL,
  cents    BIGINT NOT NULL
);

CREATE TABLE sales_reports (
  day         DATE PRIMARY KEY,
  cents       BIGINT NOT NULL DEFAULT 0,
  last_token  BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE daily_totals (
  day      DATE PRIMARY KEY,
  cents    BIGINT NOT NULL DEFAULT 0,
  version  INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE stock (
  sku      TEXT PRIMARY KEY,
  pieces   INTEGER NOT NULL,
  version  INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE prices (
  sku       TEXT PRIMARY KEY,
  cents     BIGINT NOT NULL,
  revision  BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE offers (
  id       BIGINT PRIMARY KEY,
  state    TEXT NOT NULL,
  ends_at  TIMESTAMPTZ NOT NULL
);

CREATE TABLE registers (
  id     TEXT PRIMARY KEY,
  state  TEXT NOT NULL
);
