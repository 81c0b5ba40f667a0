const tools = [
  'select',
  'hand',
  'code',
  'markdown',
  'sql',
  'input',
  'sticky',
  'text',
  'shape',
  'arrow',
  'draw',
  'frame',
  'comment',
] as const;
export type Tool = (typeof tools)[number];

export const keyOfTool: Record<Tool, string> = {
  select: 'V',
  hand: 'H',
  code: 'C',
  markdown: 'M',
  sql: 'Q',
  input: 'I',
  sticky: 'N',
  text: 'T',
  shape: 'R',
  arrow: 'A',
  draw: 'P',
  frame: 'F',
  comment: 'O',
};

export const toolOfKey = new Map(Object.entries(keyOfTool).map(([tool, key]) => [key, tool as Tool]));
