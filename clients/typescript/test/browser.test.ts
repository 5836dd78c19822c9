import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "node:test";

import { build } from "esbuild";
import { chromium } from "playwright-core";

import { check, given } from "./expected.js";
import type { Given, Report } from "./scenario.js";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];
const browserPath = process.env["VALLUM_BROWSER"];

test("a match from a page in a real browser", { skip: browserPath ? false : "browser not run" }, async () => {
  const bundled = await build({
    entryPoints: ["dist/test/page.js"], bundle: true, write: false, format: "iife", target: "es2022",
  });
  const script = bundled.outputFiles[0]?.text ?? "";
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end(`<!doctype html><title>Vallum</title><script>${script}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: browserPath ?? "", args: FLAGS });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const report = await page.evaluate(
      (asked) => (globalThis as unknown as { run(given: Given): Promise<Report> }).run(asked),
      given(),
    );
    check(report);
  } finally {
    await browser.close();
    server.close();
  }
});
