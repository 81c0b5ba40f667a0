/** Apart from the schemas: the browser needs these and no zod. */
export const portfolioEntryKinds = ['deposit', 'withdrawal', 'buy', 'sell'] as const;
/** By this section a project is known as a portfolio. */
export const portfolioSection = 'portfolio';
