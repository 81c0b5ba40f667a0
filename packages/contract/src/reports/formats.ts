/** Paper, in millimetres, upright. */
export const printFormats = {
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  Tabloid: [279.4, 431.8],
} as const satisfies Record<string, readonly [width: number, height: number]>;
export type PrintFormat = keyof typeof printFormats;

export const orientations = ['portrait', 'landscape'] as const;

export const renderFormats = ['pdf', 'png'] as const;
export type RenderFormat = (typeof renderFormats)[number];
