/** The format of both directions of the pipes: two lengths, a JSON header, bytes. */
export interface Frame {
  header: unknown;
  bytes: Uint8Array;
}

export function encodeFrame(header: unknown, bytes: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const frame = new Uint8Array(8 + text.length + bytes.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, text.length);
  view.setUint32(4, bytes.length);
  frame.set(text, 8);
  frame.set(bytes, 8 + text.length);
  return frame;
}

/** Throws at a frame that is larger than allowed, before it is buffered. */
export function frameReader(largest: number): (chunk: Uint8Array) => Frame[] {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      if (length < 8) return frames;
      if ((chunks[0]?.length ?? 0) < 8) chunks = [joined(chunks, length)];
      const first = chunks[0] as Uint8Array;
      const view = new DataView(first.buffer, first.byteOffset, first.length);
      const header = view.getUint32(0);
      const whole = 8 + header + view.getUint32(4);
      if (whole > largest) throw new Error('A frame is too large');
      if (length < whole) return frames;
      const all = joined(chunks, length);
      frames.push({
        header: JSON.parse(new TextDecoder().decode(all.subarray(8, 8 + header))),
        bytes: all.subarray(8 + header, whole),
      });
      chunks = [all.subarray(whole)];
      length -= whole;
    }
  };
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
