/** Rows of numbers that grow: what happened in a run, without an object for each. */
export class Table {
  readonly width: number;
  count = 0;
  /** Room for more rows than there are. */
  data: Float64Array;
  constructor(width: number) {
    this.width = width;
    this.data = new Float64Array(width * 64);
  }
  /** Where the next row is written. */
  add(): number {
    const at = this.count * this.width;
    if (at + this.width > this.data.length) {
      const larger = new Float64Array(this.data.length * 4);
      larger.set(this.data);
      this.data = larger;
    }
    this.count++;
    return at;
  }
  get(row: number, field: number): number {
    return this.data[row * this.width + field] as number;
  }
  /** All rows, one after the other. */
  get values(): Float64Array {
    return this.data.subarray(0, this.count * this.width);
  }
}
