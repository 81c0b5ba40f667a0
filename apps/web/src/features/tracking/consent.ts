/** Whoever asks not to be tracked, by either of the two ways browsers have, is not. */
export function mayTrack(browser: { doNotTrack?: string | null; globalPrivacyControl?: boolean }): boolean {
  return browser.globalPrivacyControl !== true && browser.doNotTrack !== '1' && browser.doNotTrack !== 'yes';
}
