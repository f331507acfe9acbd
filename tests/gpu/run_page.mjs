// Opens a page of tests in Chromium, prints what it prints, and ends as it does:
//
//   node run_page.mjs PAGE
//
// The page is made by em++ of a program of doctest. The last line is "N passed, N failed", of its test cases.
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {chromium} from 'playwright-core';

const PATIENCE_MS = 3_600_000;  // ends a hang alone: no machine is so busy
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium'].find(existsSync);
if (!executablePath) {
  console.log('FAIL  there is no Chromium\n0 passed, 1 failed');
  process.exit(1);
}
const browser = await chromium.launch({
  executablePath,
  timeout: PATIENCE_MS,
  args: [
    '--disable-gpu-watchdog',  // which ends the process of the GPU if it is slow
    '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist',
  ],
});
const page = await browser.newPage();
let passed = 0;
let failed = 1;
const done = new Promise((end, fail) => {
  page.on('pageerror', error => fail(error));
  page.on('crash', () => fail(new Error('the page crashed')));
  page.on('console', message => {
    const text = message.text().replace(/\x1b\[[0-9;]*m/g, '');
    console.log(text);
    const counts = text.match(/test cases: *\d+ \| *(\d+) passed \| *(\d+) failed/);
    if (counts) [passed, failed] = counts.slice(1).map(Number);
    if (text.includes('[doctest] Status:')) end();
  });
  setTimeout(() => fail(new Error(`the tests did not end in ${PATIENCE_MS / 1000} s`)), PATIENCE_MS).unref();
});
try {
  // The tests begin while the page loads, and it has loaded when they are over.
  await page.goto(`file://${resolve(process.argv[2])}`, {timeout: PATIENCE_MS, waitUntil: 'commit'});
  await done;
} catch (error) {
  console.log(`FAIL  ${error.message}`);
  failed = Math.max(failed, 1);
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
