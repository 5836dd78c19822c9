import { type Given, scenario } from "./scenario.js";

/** For the test that opens the page. */
Object.assign(globalThis, { run: (given: Given) => scenario(given) });
