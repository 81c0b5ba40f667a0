/** At once; more is a slip. */
export const mostExtensionHours = 1_000;
