// Opens the page of docs/quickstart.md, clicks a few actions, lets a bot finish, prints what it says.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../clients/typescript/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const [url, executablePath] = process.argv.slice(2);
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

const browser = await chromium.launch({ executablePath, args: flags });
try {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(url);
  for (let clicks = 0; clicks < 3; clicks += 1) {
    const before = await page.textContent("#state");
    await page.click("#actions button >> nth=0", { timeout: 60_000 });
    await page.waitForFunction((text) => document.getElementById("state").textContent !== text, before, { timeout: 60_000 });
  }
  await page.click("#rest");
  await page.waitForFunction(() => document.getElementById("state").textContent.startsWith("Over"), null, { timeout: 150_000 });
  console.log(JSON.stringify({ state: await page.textContent("#state"), errors }));
} finally {
  await browser.close();
}
