import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { say } from './steps.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The same without windows: a page costs a quarter less. It has no notifications. */
const shells = ['chromium-headless-shell'];

function onPath(names: string[]): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}

function tryRun(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    return true;
  } catch {
    return false;
  }
}

/** One that is there, else Debian's. */
function found(what: string, names: string[], debianPackage: string): string | null {
  const present = onPath(names);
  if (present) {
    say(`${what}: ${present} (found on the PATH)`);
    return present;
  }
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
  say(`${what}: none found; installing Debian's ${debianPackage} …`);
  const isInstalled =
    tryRun('apt-get', ['update']) && tryRun('apt-get', ['install', '-y', '--no-install-recommends', debianPackage]);
  const installed = isInstalled ? onPath(names) : null;
  if (installed) say(`${what}: ${installed} (Debian's package)`);
  return installed;
}

/** A real browser for the tests: one that is there, else Debian's, else Playwright's download. */
export function findBrowser(): string {
  const browser = found('Browser', names, 'chromium');
  if (browser) return browser;
  say("Browser: none found; downloading Playwright's …");
  const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');
  if (!tryRun(process.execPath, [playwright, 'install', 'chromium'])) {
    throw new Error('No browser for the tests: install chromium and try again.');
  }
  say("Browser: Playwright's own");
  return chromium.executablePath();
}

/** What the suites are told: the browser, and the one that the journeys are made in. */
export function findBrowsers(): { CHROMIUM_PATH: string; JOURNEYS_BROWSER_PATH: string } {
  const CHROMIUM_PATH = findBrowser();
  const shell = found('Browser of the journeys', shells, 'chromium-headless-shell');
  return { CHROMIUM_PATH, JOURNEYS_BROWSER_PATH: shell ?? CHROMIUM_PATH };
}
