/** Which settings are shown; whether there are such is known to the page. */
export const parseSection = ({ section }: Record<string, unknown>): { section?: string } => ({
  section: typeof section === 'string' && section ? section : undefined,
});
