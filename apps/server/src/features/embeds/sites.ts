/** As `frame-ancestors` has it; the author sees it in their own workspace. */
export const ancestorsOf = (allowedSites: readonly string[]): string[] =>
  allowedSites.includes('*') ? ['*'] : ["'self'", ...allowedSites];
