export * from './cell-code.ts';
export * from './document.ts';
export * from './output.ts';
export * from './patch.ts';
export { type FileCell, fieldsOf, NotANotebook, type NotebookFile, readNotebook, typeOf } from './read.ts';
export { isSame, type WrittenCell, writeNotebook } from './write.ts';
