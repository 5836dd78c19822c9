import test from "node:test";

import { check, given } from "./expected.js";
import { scenario } from "./scenario.js";

test("a match from Node", async () => {
  check(await scenario(given()));
});
