const embedPaths = [
  /^\/embed\/canvas\/[^/]+\/?$/,
  /^\/embed\/[^/]+\/[^/]+\/[^/]+\/[^/]+\/?$/,
  /^\/embed\/[^/]+\/[^/]+\/[^/]+\/?$/,
];

/** Whether a page is one of the three embeds, which start with other words (spec sections 1 and 2). */
export const isEmbedPath = (pathname: string): boolean => embedPaths.some((pattern) => pattern.test(pathname));
