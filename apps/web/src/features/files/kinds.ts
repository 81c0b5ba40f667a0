import {
  IconBrandHtml5,
  IconBrandPython,
  IconFile,
  IconFileCode,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconJson,
  IconMarkdown,
  IconMovie,
  IconPhoto,
  IconTable,
} from '@tabler/icons-react';
import type { DocumentKind, DocumentView } from '../../platform/features/document-kind.ts';
import { lazyPart } from '../../platform/features/lazy-part.ts';

const editLimit = 5 * 1024 * 1024;

/** The file's text. Every kind of text has this view, notebooks too. */
export const codeView: DocumentView = {
  id: 'code',
  label: 'Code',
  isTextEditor: true,
  fits: ({ size }) => size <= editLimit,
  component: lazyPart(() => import('./editor/code-pane.tsx'), 'CodePane'),
};

const dataView: DocumentView = {
  id: 'data',
  label: 'Data',
  isWithoutText: true,
  component: lazyPart(() => import('./table/data-pane.tsx'), 'DataPane'),
};

const previewIn = (component: DocumentView['component']): DocumentView => ({
  id: 'preview',
  label: 'Preview',
  component,
});

const previews = () => import('./preview/preview.tsx');
const imageView = previewIn(lazyPart(previews, 'ImagePreview'));

const compressedTables = ['csv', 'tsv', 'json', 'jsonl', 'ndjson'].flatMap((extension) => [
  `${extension}.gz`,
  `${extension}.zst`,
]);

/** Kinds of file that belong to no other feature. A picture, a film or a PDF has no text to edit. */
export const documents: DocumentKind[] = [
  { id: 'table', extensions: ['csv', 'tsv'], icon: IconTable, views: [codeView, dataView], first: 'data' },
  { id: 'json', extensions: ['json'], icon: IconJson, views: [codeView, dataView], first: 'data' },
  { id: 'json-lines', extensions: ['jsonl', 'ndjson'], icon: IconFile, views: [codeView, dataView], first: 'data' },
  { id: 'binary-table', extensions: ['parquet', 'xlsx', ...compressedTables], icon: IconTable, views: [dataView] },
  {
    id: 'image',
    extensions: ['png', 'apng', 'jpg', 'jpeg', 'gif', 'webp', 'avif'],
    icon: IconPhoto,
    views: [imageView],
  },
  { id: 'drawing', extensions: ['svg'], icon: IconPhoto, views: [codeView, imageView], first: 'preview' },
  { id: 'video', extensions: ['mp4'], icon: IconMovie, views: [previewIn(lazyPart(previews, 'VideoPreview'))] },
  { id: 'pdf', extensions: ['pdf'], icon: IconFileTypePdf, views: [previewIn(lazyPart(previews, 'PdfPreview'))] },
  {
    id: 'markdown',
    extensions: ['md', 'markdown'],
    icon: IconMarkdown,
    views: [codeView, previewIn(lazyPart(previews, 'MarkdownPreview'))],
  },
  {
    id: 'html',
    extensions: ['html', 'htm'],
    icon: IconBrandHtml5,
    views: [codeView, previewIn(lazyPart(previews, 'HtmlPreview'))],
  },
  { id: 'archive', extensions: ['zip'], icon: IconFileZip, views: [] },
  { id: 'python', extensions: ['py'], icon: IconBrandPython, views: [codeView] },
  {
    id: 'source',
    extensions: ['js', 'ts', 'tsx', 'jsx', 'sql', 'r', 'jl', 'sh', 'css', 'yaml', 'yml', 'toml', 'tex'],
    icon: IconFileCode,
    views: [codeView],
  },
  { id: 'text', extensions: ['txt'], icon: IconFileText, views: [codeView] },
  { id: 'other', extensions: ['*'], icon: IconFile, views: [codeView] },
];
