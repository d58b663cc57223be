import assert from "node:assert/strict";
import { test } from "node:test";
import { localizeTimes, localText, utcText } from "../src/times.ts";
import { one, page } from "./dom.ts";

process.env.TZ = "Asia/Kolkata"; // half an hour off the hour, and another day in the evening

test("a time is shown in the reader's zone, with UTC in its title", () => {
  const document = page('<time datetime="2026-11-20T20:02:11Z">20 Nov 2026 20:02 UTC</time>');
  localizeTimes(document);
  assert.equal(one(document, "time").textContent, "21 Nov 2026 01:32");
  assert.equal(one(document, "time").title, "2026-11-20 20:02:11 UTC");
});

test("a day alone stays a day", () => {
  const document = page('<time datetime="2026-09-01T00:10:00Z" data-date-only>1 Sep 2026</time>');
  localizeTimes(document);
  assert.equal(one(document, "time").textContent, "1 Sep 2026");
});

test("where only a day or a year is known it is the same in every zone", () => {
  for (const known of ["2009-07-31", "2009"]) {
    const document = page(`<time datetime="${known}">as it was</time>`);
    localizeTimes(document);
    assert.equal(one(document, "time").outerHTML, `<time datetime="${known}">as it was</time>`);
  }
});

test("what is no time is left as the server wrote it", () => {
  const document = page('<time datetime="last week">last week</time>');
  localizeTimes(document);
  assert.equal(one(document, "time").outerHTML, '<time datetime="last week">last week</time>');
});

test("texts", () => {
  const time = new Date(Date.UTC(2026, 0, 5, 3, 4, 5));
  assert.equal(localText(time, false), "5 Jan 2026 08:34");
  assert.equal(utcText(time), "2026-01-05 03:04:05 UTC");
});
