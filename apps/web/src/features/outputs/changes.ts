import type { CellOutput, CellOutputChange } from '@atoll/contract/kernels/entity';

/** Outputs after what was told of them; null where something is missing in between. What is known already changes nothing. */
export function withChanges(before: CellOutput[], changes: CellOutputChange[]): CellOutput[] | null {
  let outputs = [...before];
  for (const change of changes) {
    if (change.type === 'clear') outputs = [];
    else if (change.type === 'more') continue;
    else if (change.index > outputs.length) return null;
    else if (change.type === 'set') outputs[change.index] = change.output;
    else {
      const output = outputs[change.index];
      if (output?.output_type !== 'stream' || output.text.length < change.at) return null;
      const isKnown = output.text.length >= change.at + change.text.length;
      if (!isKnown) outputs[change.index] = { ...output, text: output.text.slice(0, change.at) + change.text };
    }
  }
  return outputs;
}
