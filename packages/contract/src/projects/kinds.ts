import type { FeatureName } from '../features.ts';

/** Kinds of executable file (decisions, "Kinds of executable file"). */
export const projectKinds = [
  'notebook',
  'canvas',
  'pipeline',
  'pasa',
  'strategy',
  'agent',
  'chat',
  'ai',
  'bi',
] as const;
export type ProjectKind = (typeof projectKinds)[number];

const kindOfExtension: Record<string, ProjectKind> = {
  ipynb: 'notebook',
  mpsw: 'canvas',
  mpsf: 'pipeline',
  pasa: 'pasa',
  pass: 'pasa',
  passage: 'pasa',
  strat: 'strategy',
  kagent: 'agent',
  kchat: 'chat',
  kai: 'ai',
  kbi: 'bi',
};

export const mainFileName: Record<ProjectKind, string> = {
  notebook: 'main.ipynb',
  canvas: 'main.mpsw',
  pipeline: 'main.mpsf',
  pasa: 'main.pasa',
  strategy: 'main.strat',
  agent: 'main.kagent',
  chat: 'main.kchat',
  ai: 'main.kai',
  bi: 'main.kbi',
};

/** The feature without which no project of the kind is created. */
export const featureOfKind: Record<ProjectKind, FeatureName> = {
  notebook: 'projects',
  canvas: 'canvas',
  pipeline: 'pipeline',
  pasa: 'pasa',
  strategy: 'strategies',
  agent: 'agent',
  chat: 'chat',
  ai: 'deploy',
  bi: 'bi',
};

export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Executable files end, in any case, in one of these (spec section 5). */
export const executableKind = (name: string): ProjectKind | null => kindOfExtension[extensionOf(name)] ?? null;

/** Notebooks and canvases are one kind of document, shown in two ways. */
export const isNotebookPath = (name: string): boolean => ['ipynb', 'mpsw'].includes(extensionOf(name));

const mimeOfExtension: Record<string, string> = {
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  png: 'image/png',
  apng: 'image/apng',
  avif: 'image/avif',
  pdf: 'application/pdf',
  csv: 'text/csv',
};

/** Mime type by extension, otherwise plain text (spec section 5). */
export const mimeTypeOf = (name: string): string => mimeOfExtension[extensionOf(name)] ?? 'text/plain';

const languages: Record<string, string> = {
  py: 'python',
  ipynb: 'python',
  mpsw: 'python',
  r: 'r',
  jl: 'julia',
  js: 'javascript',
  ts: 'typescript',
  sql: 'sql',
  md: 'markdown',
  html: 'html',
  css: 'css',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  sh: 'shell',
  tex: 'latex',
};

/** Files that are known by their whole name. */
const specialNames: Record<string, string> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  'requirements.txt': 'text',
  'environment.yml': 'yaml',
  'pyproject.toml': 'toml',
};
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

export const languageOf = (name: string): string =>
  specialNames[nameIn(name)] ?? languages[extensionOf(name)] ?? 'text';

export const fileTypes = ['script', 'notebook', 'generic'] as const;
export type FileType = (typeof fileTypes)[number];

const scripts = new Set(['py', 'r', 'jl', 'js', 'ts', 'sql', 'sh']);
/** What a kernel can run as it is. */
export const isScriptPath = (name: string): boolean => scripts.has(extensionOf(name));

/** By extension; what sets a project up is a script by its name. */
export function fileTypeOf(name: string): FileType {
  if (executableKind(name)) return 'notebook';
  return isScriptPath(name) || Object.hasOwn(specialNames, nameIn(name)) ? 'script' : 'generic';
}

/** How many pictures and films show a project off. */
export const maxShowcaseMedia = 8;
