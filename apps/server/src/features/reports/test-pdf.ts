import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface PdfPage {
  width: number;
  height: number;
  /** What is printed, with where it stands from the bottom. */
  texts: { text: string; y: number; height: number }[];
  links: string[];
}

/** The text, links and fonts of a PDF, as a reader opens it. */
export async function openPdf(body: Buffer): Promise<{ pages: PdfPage[]; text: string; hasEmbeddedFonts: boolean }> {
  const pdf = await getDocument({ data: new Uint8Array(body), verbosity: 0 }).promise;
  const pages: PdfPage[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const annotations = (await page.getAnnotations()) as { url?: string; dest?: unknown }[];
    pages.push({
      width: Math.round(width),
      height: Math.round(height),
      texts: items.flatMap((item) =>
        'str' in item
          ? [{ text: item.str + (item.hasEOL ? '\n' : ''), y: item.transform[5], height: item.height }]
          : [],
      ),
      links: annotations.map(({ url, dest }) => url ?? `#${String(dest)}`),
    });
  }
  const source = body.toString('latin1');
  const fonts = source.match(/\/Type \/FontDescriptor/g)?.length ?? 0;
  const embedded = source.match(/\/FontFile\d?/g)?.length ?? 0;
  return {
    pages,
    text: pages.map(({ texts }) => texts.map(({ text }) => text).join('')).join('\f'),
    hasEmbeddedFonts: fonts > 0 && embedded >= fonts,
  };
}
