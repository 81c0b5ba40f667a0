import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { say } from './steps.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function onPath(): string | null {
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

/** A real browser for the tests: one that is there, else Debian's, else Playwright's download. */
export function findBrowser(): string {
  const present = onPath();
  if (present) {
    say(`Browser: ${present} (found on the PATH)`);
    return present;
  }
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    say("Browser: none found; installing Debian's chromium …");
    if (tryRun('apt-get', ['update']) && tryRun('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])) {
      const installed = onPath();
      if (installed) {
        say(`Browser: ${installed} (Debian's package)`);
        return installed;
      }
    }
  }
  say("Browser: none found; downloading Playwright's …");
  const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');
  if (!tryRun(process.execPath, [playwright, 'install', 'chromium'])) {
    throw new Error('No browser for the tests: install chromium and try again.');
  }
  say("Browser: Playwright's own");
  return chromium.executablePath();
}
