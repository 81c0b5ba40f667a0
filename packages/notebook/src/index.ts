export * from './ipynb.ts';
export * from './output.ts';
