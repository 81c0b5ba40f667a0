/** Projects whose notebook runs when it is first shown: made from a template a moment ago. A reload does not run them again. */
const waiting = new Set<string>();

export const runOnOpen = (projectId: string): void => void waiting.add(projectId);
export const takeRunOnOpen = (projectId: string): boolean => waiting.delete(projectId);
