import { extensionOf } from '@atoll/contract/projects/kinds';
import { StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

const javascript = (jsx: boolean, typescript: boolean) => async () =>
  (await import('@codemirror/lang-javascript')).javascript({ jsx, typescript });
const json = async () => (await import('@codemirror/lang-json')).json();
const html = async () => (await import('@codemirror/lang-html')).html();
const yaml = async () => (await import('@codemirror/lang-yaml')).yaml();
const markdown = async () => (await import('@codemirror/lang-markdown')).markdown();
const shell = async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/shell')).shell);

/** Each is downloaded when the first file of its kind is opened. */
const loaders: Record<string, () => Promise<Extension>> = {
  py: async () => (await import('@codemirror/lang-python')).python(),
  js: javascript(true, false),
  jsx: javascript(true, false),
  mjs: javascript(true, false),
  ts: javascript(false, true),
  tsx: javascript(true, true),
  json,
  ipynb: json,
  mpsw: json,
  mpsf: json,
  pasa: json,
  strat: json,
  kagent: json,
  kchat: json,
  kai: json,
  kbi: json,
  html,
  htm: html,
  svg: html,
  xml: html,
  css: async () => (await import('@codemirror/lang-css')).css(),
  md: markdown,
  markdown,
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  yaml,
  yml: yaml,
  r: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/r')).r),
  jl: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/julia')).julia),
  toml: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/toml')).toml),
  tex: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/stex')).stex),
  sh: shell,
  bash: shell,
};

/** A language that cannot be loaded costs the colours, nothing else. */
export const loadLanguage = async (name: string): Promise<Extension> =>
  (await loaders[extensionOf(name)]?.().catch(() => null)) ?? [];
