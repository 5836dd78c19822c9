import assert from "node:assert/strict";
import test from "node:test";

import { Code, ConnectError } from "@connectrpc/connect";

import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { WatchMyMatchesResponseSchema } from "../src/gen/vallum/notices/v1/inbox_pb.js";
import { notices, watch, type WatchMessage } from "../src/index.js";

type Message = WatchMessage["message"];

const update = (version: number): Message => ({ case: "update", value: { version } });
const heartbeat = (version: number): Message => ({ case: "heartbeat", value: { version } });
const end = (version: number): Message => ({ case: "end", value: { version } });

/** A service that says these things, one stream after the other, and what it was asked for. */
function scripted(...streams: (Message | ConnectError)[][]) {
  const asked: number[] = [];
  async function* open(fromVersion: number): AsyncGenerator<WatchMessage> {
    asked.push(fromVersion);
    for (const message of streams.shift() ?? []) {
      if (message instanceof ConnectError) throw message;
      yield { message };
    }
  }
  return { open, asked };
}

async function versions(open: (fromVersion: number) => AsyncIterable<WatchMessage>): Promise<number[]> {
  const found: number[] = [];
  for await (const { version } of watch(open)) found.push(version);
  return found;
}

test("a stream that breaks goes on where it was", async () => {
  const broken = new ConnectError("gone", Code.Unavailable);
  const { open, asked } = scripted([update(1), update(2), broken], [update(3)], [update(4), end(4)]);
  assert.deepEqual(await versions(open), [1, 2, 3, 4]);
  assert.deepEqual(asked, [0, 2, 3]);
});

test("a heartbeat that is ahead means that something was missed", async () => {
  const { open, asked } = scripted([update(1), heartbeat(1), heartbeat(3)], [update(2), update(3), end(3)]);
  assert.deepEqual(await versions(open), [1, 2, 3]);
  assert.deepEqual(asked, [0, 1]);
});

test("a refusal is final", async () => {
  const { open } = scripted([new ConnectError("no such match", Code.NotFound)]);
  await assert.rejects(versions(open), { code: Code.NotFound });
});

test("a token that has expired is asked for anew", async () => {
  const info = { desc: ErrorInfoSchema, value: { reason: "token_expired" } };
  const over = new ConnectError("over", Code.Unauthenticated, undefined, [info]);
  const { open, asked } = scripted([update(1), over], [update(2), end(2)]);
  assert.deepEqual(await versions(open), [1, 2]);
  assert.deepEqual(asked, [0, 1]);
});

test("notices go on after the last one that came", async () => {
  type Said = MessageInitShape<typeof WatchMyMatchesResponseSchema>;
  const streams: (Said | ConnectError)[][] = [
    [{ resumeToken: "1-0", notice: { case: "turns", value: {} } }, new ConnectError("gone", Code.Unavailable)],
    [{ resumeToken: "1-0", notice: { case: "heartbeat", value: {} } }],
    [{ resumeToken: "2-0", notice: { case: "invited", value: { game: "altarion" } } }],
  ];
  const asked: string[] = [];
  const seen: (string | undefined)[] = [];
  const told = notices(async function* (token) {
    asked.push(token);
    for (const message of streams.shift() ?? []) {
      if (message instanceof ConnectError) throw message;
      yield create(WatchMyMatchesResponseSchema, message);
    }
  });
  for await (const { notice } of told) {
    seen.push(notice.case);
    if (notice.case === "invited") break;
  }
  assert.deepEqual([asked, seen], [["", "1-0", "1-0"], ["turns", "invited"]]);
});

test("patience ends", async () => {
  const broken = () => [new ConnectError("gone", Code.Unavailable)];
  const { open } = scripted(broken(), broken(), broken());
  await assert.rejects(async () => {
    for await (const _ of watch(open, { patience: 50 }));
  }, { code: Code.Unavailable });
});
