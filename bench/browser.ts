import { chromium } from '@playwright/test';
import { findBrowser } from '../scripts/browser.ts';

/** Without what Chromium does by itself in the background. */
export const launchBrowser = () =>
  chromium.launch({
    executablePath: findBrowser() || undefined,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
