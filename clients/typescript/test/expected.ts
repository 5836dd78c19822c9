import assert from "node:assert/strict";

import type { Given, Report } from "./scenario.js";

/** The edge to be called, as the one who runs these tests says. */
export function given(): Given {
  const { VALLUM_URL: url, VALLUM_ADA: ada, VALLUM_BOB: bob } = process.env;
  assert(url && ada && bob, "VALLUM_URL, VALLUM_ADA and VALLUM_BOB say where the edge is, and who calls");
  return { url, ada, bob };
}

export function check(report: Report): void {
  assert.deepEqual(report.seats, ["ada", "bob"]);
  assert(report.watched.length > 2);
  assert.deepEqual(report.watched, report.watched.map((_, at) => at + 1));
  assert(report.cancelled);
  assert.deepEqual(report.refusals, {
    stale: { reason: "stale_decision", code: "Aborted", fields: [] },
    missing: { reason: "match_not_found", code: "NotFound", fields: [] },
    invalid: { reason: "invalid_request", code: "InvalidArgument", fields: ["actions"] },
    stranger: { reason: "token_invalid", code: "Unauthenticated", fields: [] },
  });
}
