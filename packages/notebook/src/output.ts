/** An output in nbformat 4. */
export type Output =
  | { output_type: 'stream'; name: 'stdout' | 'stderr'; text: string }
  | { output_type: 'display_data'; data: MimeBundle; metadata: Fields }
  | { output_type: 'execute_result'; data: MimeBundle; metadata: Fields; execution_count: number | null }
  | { output_type: 'error'; ename: string; evalue: string; traceback: string[] };

export type MimeBundle = Record<string, unknown>;
export type Fields = Record<string, unknown>;

/** The outputs of one execution so far, and the state that the next message needs. */
export interface Collected {
  outputs: { output: Output; displayId: string | null }[];
  /** `clear_output(wait=True)`: the next output clears the earlier ones. */
  clearsWithNext: boolean;
}

export type OutputChange =
  | { type: 'clear' }
  /** `at` is the former length of the text, so that a reader who has the change already does not apply it twice. */
  | { type: 'append'; index: number; at: number; text: string }
  | { type: 'set'; index: number; output: Output; display_id: string | null };

/** Masks secrets; it gets a whole text each time. */
export type Mask = (text: string) => string;

/** A longer stream continues in the next output, so that a long text is not written again with every line. */
const streamLength = 32 * 1024;
/** The next output begins with a new line, unless lines are endless, because masked text may be anywhere in a line. */
const longestLine = 128 * 1024;
/** Masked text is never longer; so much of the old text is checked again together with the new text. */
const seam = 4_096;

export const nothingCollected = (): Collected => ({ outputs: [], clearsWithNext: false });

/** Applies one message of the kernel to `collected`, and returns the changes. */
export function collect(
  collected: Collected,
  message: { type: string; content: Fields },
  mask: Mask = (text) => text,
): OutputChange[] {
  const { type, content } = message;
  switch (type) {
    case 'stream':
      return [...clearBefore(collected), ...addText(collected, content, mask)];
    case 'display_data':
    case 'execute_result':
    case 'error':
      return [...clearBefore(collected), add(collected, outputOf(type, content, mask), displayIdOf(content))];
    case 'update_display_data':
      return update(collected, content, mask);
    case 'clear_output':
      if (content.wait === true) {
        collected.clearsWithNext = true;
        return [];
      }
      collected.clearsWithNext = true;
      return clearBefore(collected);
    default:
      return [];
  }
}

function clearBefore(collected: Collected): OutputChange[] {
  if (!collected.clearsWithNext) return [];
  collected.clearsWithNext = false;
  collected.outputs = [];
  return [{ type: 'clear' }];
}

function add(collected: Collected, output: Output, displayId: string | null): OutputChange {
  collected.outputs.push({ output, displayId });
  // A copy, because text that is added later is published as an addition.
  return { type: 'set', index: collected.outputs.length - 1, output: { ...output }, display_id: displayId };
}

function addText(collected: Collected, content: Fields, mask: Mask): OutputChange[] {
  const name = content.name === 'stderr' ? 'stderr' : 'stdout';
  const added = String(content.text ?? '');
  const index = collected.outputs.length - 1;
  const last = collected.outputs[index]?.output;
  if (last?.output_type !== 'stream' || last.name !== name || isFull(last.text)) {
    const text = mask(foldLine(added));
    return [add(collected, { output_type: 'stream', name, text }, null)];
  }
  const { text } = last;
  const lineStart = text.lastIndexOf('\n') + 1;
  const from = Math.min(lineStart, Math.max(0, text.length - seam));
  const joined = text.slice(0, from) + mask(text.slice(from, lineStart) + foldLine(text.slice(lineStart) + added));
  last.text = joined;
  if (joined.startsWith(text)) return [{ type: 'append', index, at: text.length, text: joined.slice(text.length) }];
  return [{ type: 'set', index, output: { ...last }, display_id: null }];
}

const isFull = (text: string) => text.length > (text.endsWith('\n') ? streamLength : longestLine);

/** Converts text as a terminal shows it: a carriage return goes to the start of the line, a backspace one place back. */
export function foldLine(text: string): string {
  if (!/[\r\b]/.test(text)) return text;
  return text
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => (/[\b]|\r./.test(line) ? overwritten(line) : line))
    .join('\n');
}

function overwritten(line: string): string {
  // A carriage return at the end waits for the next text.
  const tail = line.endsWith('\r') ? '\r' : '';
  const shown: string[] = [];
  let at = 0;
  for (const character of tail ? line.slice(0, -1) : line) {
    if (character === '\r') at = 0;
    else if (character === '\b') at = Math.max(0, at - 1);
    else {
      shown[at] = character;
      at += 1;
    }
  }
  return shown.join('') + tail;
}

function update(collected: Collected, content: Fields, mask: Mask): OutputChange[] {
  const displayId = displayIdOf(content);
  if (displayId === null) return [];
  return collected.outputs.flatMap((each, index): OutputChange[] => {
    if (each.displayId !== displayId || !('data' in each.output)) return [];
    each.output = {
      ...each.output,
      data: maskedBundle(content.data, mask),
      metadata: maskedFields(content.metadata, mask),
    };
    return [{ type: 'set', index, output: each.output, display_id: displayId }];
  });
}

function outputOf(type: 'display_data' | 'execute_result' | 'error', content: Fields, mask: Mask): Output {
  if (type === 'error') {
    return {
      output_type: 'error',
      ename: mask(String(content.ename ?? '')),
      evalue: mask(String(content.evalue ?? '')),
      traceback: Array.isArray(content.traceback) ? content.traceback.map((line) => mask(String(line))) : [],
    };
  }
  const shown = { data: maskedBundle(content.data, mask), metadata: maskedFields(content.metadata, mask) };
  if (type === 'display_data') return { output_type: type, ...shown };
  const count = content.execution_count;
  return { output_type: type, ...shown, execution_count: typeof count === 'number' ? count : null };
}

const isBinary = (mimeType: string) =>
  /^(image\/(?!svg)|application\/(pdf|octet-stream)|video\/|audio\/)/.test(mimeType);

function maskedBundle(value: unknown, mask: Mask): MimeBundle {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([type, data]) => [type, isBinary(type) ? data : maskedValue(data, mask)]),
  );
}

function maskedValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [mask(name), maskedValue(each, mask)]));
}

export const maskedFields = (value: unknown, mask: Mask) => maskedValue(fieldsOf(value), mask) as Fields;

const displayIdOf = (content: Fields): string | null => {
  const id = fieldsOf(content.transient).display_id;
  return typeof id === 'string' ? id : null;
};

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The approximate size of an output, which limits count. */
export function sizeOfChange(change: OutputChange): number {
  if (change.type === 'clear') return 0;
  if (change.type === 'append') return change.text.length;
  return change.output.output_type === 'stream' ? change.output.text.length : JSON.stringify(change.output).length;
}
