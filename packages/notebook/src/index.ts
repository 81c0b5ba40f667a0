export * from './cell-code.ts';
export { type Dependency, dependenciesOf, dependentCells } from './dependencies.ts';
export * from './document.ts';
export { fieldsOf } from './fields.ts';
export { type FileCell, isTooDeep, NotANotebook, type NotebookFile, readNotebook } from './file/read.ts';
export { type WrittenNotebook, writeNotebook } from './file/write.ts';
export { gapFor, type Tile, tilesOf, withTile } from './layout/grid.ts';
export * from './layout/layout.ts';
export * from './merge-texts.ts';
export * from './output.ts';
export * from './parameters.ts';
export * from './patch.ts';
export { textChecksum } from './text-checksum.ts';
export {
  isBufferPath,
  isPlaceIn,
  type Widget,
  widgetsIn,
  withSavedWidget,
  withWidgets,
} from './widgets.ts';
