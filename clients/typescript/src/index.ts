/**
 * The client of Vallum for browsers and Node, over gRPC-Web.
 *
 *     const vallum = new Vallum("http://127.0.0.1:7400", token);
 *     const rules = vallum.client(RulesService); // of vallum/hadrians_wall/v1/rules_pb
 *     const { match } = await rules.createMatch({ seats: [player("ada"), bot("easy")] });
 *     for await (const update of watch((fromVersion) => rules.watch({ name, fromVersion }))) …
 */

import { create, type DescService } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { type Occupant, OccupantSchema } from "./gen/vallum/match/v1/match_pb.js";
import type { WatchMyMatchesResponse } from "./gen/vallum/notices/v1/inbox_pb.js";

/** A token, or what gives one: it is asked before each call. */
export type Token = string | (() => string | Promise<string>);

/** An address of the edge, and in whose name it is called. */
export class Vallum {
  readonly #transport;

  constructor(url: string, token: Token) {
    const bearer: Interceptor = (next) => async (request) => {
      request.header.set("authorization", `Bearer ${typeof token === "string" ? token : await token()}`);
      return await next(request);
    };
    this.#transport = createGrpcWebTransport({ baseUrl: url, interceptors: [bearer] });
  }

  /** The calls of one service of the contract. */
  client<S extends DescService>(service: S): Client<S> {
    return createClient(service, this.#transport);
  }
}

/** A seat for a player. */
export function player(id: string): Occupant {
  return create(OccupantSchema, { occupant: { case: "player", value: id } });
}

/** A seat for a bot. */
export function bot(policy: string): Occupant {
  return create(OccupantSchema, { occupant: { case: "bot", value: policy } });
}

/** Why a call was not done. */
export interface Refusal {
  /** Stable: "not_your_turn", "rate_limited"; of a service that was not reached, its status. */
  reason: string;
  code: Code;
  message: string;
  metadata: Record<string, string>;
  /** What is wrong in the request. */
  fields: { path: string; text: string }[];
  /** Milliseconds after which to try again; unset: the refusal does not say. */
  retryAfter?: number;
}

/** What an error of a call says. */
export function refusal(error: unknown): Refusal {
  const told = ConnectError.from(error);
  const [info] = told.findDetails(ErrorInfoSchema);
  const [bad] = told.findDetails(BadRequestSchema);
  const delay = told.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return {
    reason: info?.reason ?? (Code[told.code] ?? "unknown").toLowerCase(),
    code: told.code,
    message: told.rawMessage,
    metadata: info?.metadata ?? {},
    fields: (bad?.fieldViolations ?? []).map(({ field, description }) => ({ path: field, text: description })),
    ...(delay ? { retryAfter: Number(delay.seconds) * 1000 + delay.nanos / 1e6 } : {}),
  };
}

/** A message of a game's Watch. */
export interface WatchMessage {
  message:
    | { case: "update"; value: { version: number } }
    | { case: "heartbeat"; value: { version: number } }
    | { case: "end"; value: { version: number } }
    | { case: undefined; value?: undefined };
}

type Value<M extends WatchMessage, C> = Extract<M["message"], { case: C }>["value"];

const INTERRUPTED = new Set([Code.Unavailable, Code.Unknown, Code.DeadlineExceeded, Code.Internal, Code.Canceled]);
/** Refusals after which the same call may succeed: a token that is asked for anew is another one. */
const LATER = new Set(["rate_limited", "token_expired"]);

/** How a stream that broke is opened again: later and later, for so many milliseconds without a message. */
class Patience {
  #pause = 100;
  #heard = Date.now();

  constructor(readonly patience: number) {}

  heard(): void {
    this.#pause = 100;
    this.#heard = Date.now();
  }

  /** Throws an error that is final, or one too many. */
  after(error: unknown): void {
    const { code, reason } = refusal(error);
    const final = !(INTERRUPTED.has(code) || LATER.has(reason));
    if (final || Date.now() - this.#heard > this.patience) throw error;
  }

  async wait(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#pause));
    this.#pause = Math.min(2 * this.#pause, 2000);
  }
}

/**
 * Every update of a match once and in order, until its end, which is returned. A stream that breaks is
 * opened again where it was; after `patience` milliseconds without a message its error is thrown.
 */
export async function* watch<M extends WatchMessage>(
  open: (fromVersion: number) => AsyncIterable<M>,
  { fromVersion = 0, patience = 30_000 } = {},
): AsyncGenerator<Value<M, "update">, Value<M, "end">> {
  let version = fromVersion;
  const tries = new Patience(patience);
  for (;;) {
    try {
      for await (const { message } of open(version)) {
        tries.heard();
        if (message.case === "end") return message.value as Value<M, "end">;
        if (message.case === "heartbeat" && message.value.version > version) break; // something is missing
        if (message.case !== "update") continue;
        version = message.value.version;
        yield message.value as Value<M, "update">;
      }
    } catch (error) {
      tries.after(error);
    }
    await tries.wait();
  }
}

/**
 * What awaits a player in any of his matches, and who invites him, for ever: each notice once and in order.
 * Keep the last `resumeToken`, and begin with it the next time.
 *
 *     for await (const { notice } of notices((resumeToken) => inbox.watchMyMatches({ resumeToken }))) …
 */
export async function* notices(
  open: (resumeToken: string) => AsyncIterable<WatchMyMatchesResponse>,
  { resumeToken = "", patience = 30_000 } = {},
): AsyncGenerator<WatchMyMatchesResponse, never> {
  let token = resumeToken;
  const tries = new Patience(patience);
  for (;;) {
    try {
      for await (const message of open(token)) {
        tries.heard();
        token = message.resumeToken;
        if (message.notice.case !== "heartbeat") yield message;
      }
    } catch (error) {
      tries.after(error);
    }
    await tries.wait();
  }
}
