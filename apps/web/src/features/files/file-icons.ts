import { executableKind, extensionOf } from '@atoll/contract/projects/kinds';
import {
  type Icon,
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
import { kindWords } from '../projects/kinds.ts';

const icons: Record<string, Icon> = {
  py: IconBrandPython,
  md: IconMarkdown,
  json: IconJson,
  html: IconBrandHtml5,
  htm: IconBrandHtml5,
  csv: IconTable,
  tsv: IconTable,
  xlsx: IconTable,
  parquet: IconTable,
  pdf: IconFileTypePdf,
  zip: IconFileZip,
  mp4: IconMovie,
  txt: IconFileText,
  ...Object.fromEntries(['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'avif', 'apng'].map((each) => [each, IconPhoto])),
  ...Object.fromEntries(
    ['js', 'ts', 'tsx', 'jsx', 'sql', 'r', 'jl', 'sh', 'css', 'yaml', 'yml', 'toml', 'tex'].map((each) => [
      each,
      IconFileCode,
    ]),
  ),
};

export function fileIcon(name: string): Icon {
  const kind = executableKind(name);
  return kind ? kindWords[kind].icon : (icons[extensionOf(name)] ?? IconFile);
}
