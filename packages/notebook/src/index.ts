export * from './cell-code.ts';
export * from './document.ts';
export { fieldsOf } from './fields.ts';
export * from './output.ts';
export * from './patch.ts';
export { type FileCell, isTooDeep, NotANotebook, type NotebookFile, readNotebook, typeOf } from './read.ts';
export { textChecksum } from './text-checksum.ts';
export { isBufferPath, isPlaceIn, type Widget, widgetsIn, withWidgets } from './widgets.ts';
export { isSame, type WrittenCell, type WrittenNotebook, writeNotebook } from './write.ts';
