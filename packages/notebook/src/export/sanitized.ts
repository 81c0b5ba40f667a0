import sanitize from 'sanitize-html';
import { anchorId, decodedFragment } from './anchors.ts';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** Elements that can be wider than the page get the focus, so that the keyboard can scroll them. */
const focusable = { name: 'tabindex', multiple: false, values: ['0'] };
const plainLength = /^\d{1,4}(?:px|%|em|rem)?$/;

/** Pictures of other servers: returns the kept copy of an address; each requested address is counted. */
export interface RemotePictures {
  find(address: string): string | null;
}

/** The same rules as in the browser: text, tables and pictures; nothing that runs, loads, or reaches beyond its place. */
const rules: sanitize.IOptions = {
  allowedTags: [
    ...headings,
    ...['p', 'div', 'span', 'blockquote', 'pre', 'code', 'hr', 'br', 'a', 'img', 'figure', 'figcaption'],
    ...[
      'ul',
      'ol',
      'li',
      'dl',
      'dt',
      'dd',
      'table',
      'caption',
      'thead',
      'tbody',
      'tfoot',
      'tr',
      'th',
      'td',
      'colgroup',
    ],
    ...['col', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'kbd', 'samp', 'var'],
    ...['abbr', 'cite', 'q', 'time', 'details', 'summary', 'center', 'audio', 'video', 'source', 'progress'],
  ],
  allowedAttributes: {
    '*': ['id', 'title', 'style', 'align', 'dir', 'lang'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height'],
    code: [{ name: 'class', multiple: true, values: [] }],
    span: ['data-formula', { name: 'class', multiple: true, values: highlightClasses() }],
    pre: [{ name: 'class', multiple: false, values: ['code'] }, focusable],
    div: [{ name: 'class', multiple: false, values: ['table'] }, focusable],
    audio: ['src', 'controls'],
    video: ['src', 'controls', 'width', 'height', 'loop'],
    source: ['src', 'type'],
    progress: ['value', 'max'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    ol: ['start'],
    details: ['open'],
  },
  allowedStyles: {
    '*': {
      'text-align': [/^(?:left|right|center|justify)$/],
      'vertical-align': [/^(?:top|middle|bottom|baseline)$/],
      'font-weight': [/^(?:bold|normal|[1-9]00)$/],
      'font-style': [/^(?:italic|normal)$/],
      color: [/^#[0-9a-f]{3,8}$/i, /^[a-z]+$/i, /^rgb\([\d\s,.%]+\)$/],
      'background-color': [/^#[0-9a-f]{3,8}$/i, /^[a-z]+$/i, /^rgb\([\d\s,.%]+\)$/],
      width: [plainLength],
      'max-width': [plainLength],
    },
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  // Pictures are in the document, because loading one from elsewhere would show its server that this page is read.
  allowedSchemesByTag: { img: ['data'], audio: ['data'], video: ['data'], source: ['data'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, { name, ...attributes }) => ({
      tagName,
      attribs: { ...(name === undefined ? {} : { id: name }), ...attributes, ...linkTarget(attributes.href) },
    }),
    // A recording gets controls, because a text must not play by itself without a way to stop it.
    audio: (tagName, attributes) => ({ tagName, attribs: { ...attributes, controls: '' } }),
    video: (tagName, attributes) => ({ tagName, attribs: { ...attributes, controls: '' } }),
    pre: (tagName, attributes) => ({ tagName, attribs: { ...attributes, tabindex: '0' } }),
    '*': (tagName, { id, ...attributes }) => ({
      tagName,
      attribs: id ? { ...attributes, id: anchorId(id) } : attributes,
    }),
  },
};

/** A link within the article stays in it, also in a frame whose links leave it; every other link opens another page. */
function linkTarget(href: string | undefined): sanitize.Attributes {
  if (href === undefined) return {};
  const fragment = /^\s*#(.+)$/s.exec(href)?.[1];
  return fragment === undefined
    ? { rel: 'noopener noreferrer nofollow', target: '_blank' }
    : { href: `#${anchorId(decodedFragment(fragment))}`, target: '_self' };
}

function highlightClasses(): string[] {
  const words = [
    'keyword',
    'string',
    'string2',
    'number',
    'comment',
    'variableName',
    'definition',
    'typeName',
    'className',
  ];
  const more = [
    'propertyName',
    'operator',
    'punctuation',
    'bool',
    'literal',
    'meta',
    'atom',
    'namespace',
    'labelName',
    'macroName',
  ];
  return [...words, ...more].map((word) => `tok-${word}`);
}

const isRemote = /^\s*(?:https?:)?\/\//i;

/** Replaces a picture of another server by its kept copy, else by a link to it; within a link by its text. */
export function sanitized(html: string, pictures: RemotePictures): string {
  const open: boolean[] = [];
  return sanitize(html, {
    ...rules,
    // An anchor that was never closed is no link around the rest of the text.
    onOpenTag: (name, { href }) => {
      if (name === 'a') open.push(href !== undefined);
    },
    onCloseTag: (name) => {
      if (name === 'a') open.pop();
    },
    transformTags: {
      ...rules.transformTags,
      img: (tagName, attributes) => {
        const { src = '', alt } = attributes;
        if (!isRemote.test(src)) return { tagName, attribs: attributes };
        const address = src.trim().replace(/^\/\//, 'https://');
        const kept = pictures.find(address);
        if (kept) return { tagName, attribs: { ...attributes, src: kept } };
        const text = alt?.trim() || address.split(/[?#]/)[0]?.split('/').at(-1) || address;
        return open.includes(true)
          ? { tagName: 'span', attribs: {}, text }
          : {
              tagName: 'a',
              attribs: { href: address, title: address, ...linkTarget(address) },
              text: `Picture: ${text}`,
            };
      },
    },
  });
}
