import type { Theme } from '@atoll/contract';
import type { OpenAPI } from '@orpc/openapi';

/** Renders the OpenAPI document as a page without scripts, so that it opens anywhere and at once. */

const escapeText = (text: unknown) =>
  String(text ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[];
  requestBody?: { content?: Record<string, { schema?: unknown }> };
  responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>;
  'x-permission'?: string;
  'x-api-key-scope'?: string;
}

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

export function docsPage(document: OpenAPI.Document, theme: Theme): string {
  const groups = new Map<string, Entry[]>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      const tag = operation.tags?.[0] ?? 'Other';
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  const names = [...groups.keys()].sort();
  const anchor = (name: string) => escapeText(name.toLowerCase().replace(/\W+/g, '-'));
  const navigation = names.map((name) => `<a href="#${anchor(name)}">${escapeText(name)}</a>`).join('');
  const sections = names
    .map(
      (name) =>
        `<section id="${anchor(name)}"><h2>${escapeText(name)}</h2>${(groups.get(name) ?? []).map(entryHtml).join('')}</section>`,
    )
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API - ${escapeText(theme.name)}</title><style>${style(theme)}</style></head>
<body><header><h1>${escapeText(theme.name)} API</h1>
<p>Every call of this server, as <a href="openapi.json">OpenAPI</a> and as a page. Paths begin with <code>${escapeText(document.servers?.[0]?.url)}</code>.
Send <code>Authorization: Bearer …</code> or <code>X-API-Key: …</code>. Errors answer <code>message</code>, <code>status</code>, <code>code</code>, <code>fields</code> and <code>details</code>.</p>
<nav aria-label="Groups">${navigation}</nav></header><main>${sections}</main></body></html>`;
}

function entryHtml({ method, path, operation }: Entry): string {
  const parameters = (operation.parameters ?? [])
    .map(
      (parameter) =>
        `<tr><td><code>${escapeText(parameter.name)}</code></td><td>${escapeText(parameter.in)}${parameter.required ? ', required' : ''}</td><td>${escapeText(typeName(parameter.schema))}</td></tr>`,
    )
    .join('');
  const body = schemaBlock('Body', operation.requestBody?.content);
  const answer = schemaBlock('Answer', operation.responses?.['200']?.content);
  return `<details><summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeText(path)}</code> <span class="summary">${escapeText(operation.summary)}</span></summary>
<div class="detail">${operation.description ? `<p>${escapeText(operation.description)}</p>` : ''}
<p class="rules">Permission <code>${escapeText(operation['x-permission'])}</code> · API keys: ${escapeText(operation['x-api-key-scope'])}</p>
${parameters ? `<table><thead><tr><th>Parameter</th><th>Where</th><th>Type</th></tr></thead><tbody>${parameters}</tbody></table>` : ''}${body}${answer}</div></details>`;
}

function schemaBlock(title: string, content?: Record<string, { schema?: unknown }>): string {
  const schema = content?.['application/json']?.schema;
  return schema ? `<h3>${title}</h3><pre tabindex="0">${escapeText(outline(schema))}</pre>` : '';
}

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
}

function typeName(value: unknown): string {
  const schema = (value ?? {}) as Schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((item) => JSON.stringify(item)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeName))].join(' | ');
  if (schema.type === 'array') return `${typeName(schema.items)}[]`;
  const base = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any');
  return schema.format ? `${base} (${schema.format})` : base;
}

function outline(value: unknown, depth = 0): string {
  const schema = value as Schema;
  if (schema.type === 'array' && schema.items?.properties) return `[${outline(schema.items, depth)}]`;
  if (!schema.properties || depth > 4) return typeName(schema);
  const indent = '  '.repeat(depth + 1);
  const lines = Object.entries(schema.properties).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    const note = property.description ? `  — ${property.description}` : '';
    return `${indent}${name}${mark}: ${outline(property, depth + 1)}${note}`;
  });
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

function style(theme: Theme): string {
  const colours = (mode: 'light' | 'dark') => {
    const { background, surface, text, muted, border, primary } = theme.palettes[mode];
    return `--background:${background};--surface:${surface};--text:${text};--muted:${muted};--border:${border};--primary:${primary}`;
  };
  return `:root{color-scheme:light;${colours('light')}}@media(prefers-color-scheme:dark){:root{color-scheme:dark;${colours('dark')}}}
*{box-sizing:border-box}body{margin:0 auto;max-width:960px;padding:32px 16px;background:var(--background);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{font-size:24px;margin:0 0 8px}h2{font-size:18px;margin:32px 0 8px}h3{font-size:13px;margin:16px 0 4px}a{color:var(--primary)}header p,.summary,.rules{color:var(--muted)}
nav{display:flex;flex-wrap:wrap;gap:8px 16px}code,pre{font-family:ui-monospace,monospace;font-size:13px}details{background:var(--surface);border:1px solid var(--border);border-radius:8px;margin:8px 0}
summary{padding:10px 12px;cursor:pointer;overflow-wrap:anywhere}.detail{padding:0 12px 12px}.method{display:inline-block;min-width:56px;font-weight:600;font-size:12px;color:var(--primary)}
pre{overflow:auto;background:var(--background);border:1px solid var(--border);border-radius:6px;padding:12px;margin:0}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:4px 8px;border-bottom:1px solid var(--border);font-size:13px}`;
}
