/** What a page does with the client; the same in Node and in a browser. */

import { Code } from "@connectrpc/connect";

import { RulesService } from "../src/gen/vallum/hadrians_wall/v1/rules_pb.js";
import { player, refusal, Vallum, watch } from "../src/index.js";

export interface Given {
  url: string;
  /** Of players ada and bob. */
  ada: string;
  bob: string;
}

export interface Report {
  seats: string[];
  watched: number[];
  refusals: Record<string, { reason: string; code: string; fields: string[] }>;
  cancelled: boolean;
}

export async function scenario({ url, ada, bob }: Given): Promise<Report> {
  const [mine, his] = [ada, bob].map((token) => new Vallum(url, async () => token).client(RulesService));
  if (!mine || !his) throw new Error("two players are needed");
  const { match } = await mine.createMatch({ seats: [player("ada"), player("bob")] });
  const name = match?.name ?? "";

  const cancelled = await isCancelled((signal) => mine.watch({ name }, { signal }));
  const { actions, decision } = await mine.listActions({ name });
  const expectedDecision = decision?.decisionId ?? 0;
  const played = await mine.play({ name, actions: actions.slice(0, 1), expectedDecision, requestId: "one" });

  const refusals: Report["refusals"] = {};
  const tried: Record<string, () => Promise<unknown>> = {
    stale: () => mine.play({ name, actions: actions.slice(0, 1), expectedDecision: 99, requestId: "two" }),
    missing: () => mine.getMatch({ name: "matches/nothing" }),
    invalid: () => mine.play({ name, actions: [], requestId: "three" }),
    stranger: () => new Vallum(url, "bad").client(RulesService).getMatch({ name }),
  };
  for (const [what, call] of Object.entries(tried)) refusals[what] = await refused(call);

  const watched: number[] = [];
  for await (const { version } of watch((fromVersion) => his.watch({ name, fromVersion }))) {
    watched.push(version);
    if (version === played.version) break;
  }
  return { seats: match?.seats.map((seat) => seat.player) ?? [], watched, refusals, cancelled };
}

async function refused(call: () => Promise<unknown>): Promise<Report["refusals"][string]> {
  try {
    await call();
  } catch (error) {
    const { reason, code, fields } = refusal(error);
    return { reason, code: Code[code] ?? "", fields: fields.map(({ path }) => path) };
  }
  throw new Error("it was not refused");
}

/** Whether a stream ends, in the middle, when it is cancelled. */
async function isCancelled(open: (signal: AbortSignal) => AsyncIterable<unknown>): Promise<boolean> {
  const control = new AbortController();
  try {
    for await (const _ of open(control.signal)) control.abort();
  } catch (error) {
    return refusal(error).code === Code.Canceled;
  }
  return false;
}
