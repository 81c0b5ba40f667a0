import type { ArrowEnd, BoardColour, Box, Point, Shape } from '@atoll/notebook';
import { Signals } from '../notebook/signals.ts';
import type { Tool } from './tools.ts';

/** As the style has them. */
const [slideBarHeight, thumbnailsHeight] = [52, 104];

/** The tool of a person on a board and the things being drawn; nothing of it is in the document yet. */
export class BoardTools extends Signals {
  private tool: Tool = 'select';
  private marquee: Box | null = null;
  private stroke: Point[] | null = null;
  private wire: { from: ArrowEnd; to: ArrowEnd } | null = null;
  private ink: BoardColour = 'blue';
  private shape: Shape = 'rectangle';
  private areDependenciesShown = false;
  private areThumbnailsShown = false;

  getTool = (): Tool => this.tool;
  getMarquee = (): Box | null => this.marquee;
  getStroke = (): Point[] | null => this.stroke;
  getWire = () => this.wire;
  getInk = (): BoardColour => this.ink;
  getShape = (): Shape => this.shape;
  getDependencies = (): boolean => this.areDependenciesShown;
  getThumbnails = (): boolean => this.areThumbnailsShown;
  /** The space below a slide for its controls. */
  getSlideRoom = (): number => slideBarHeight + (this.areThumbnailsShown ? thumbnailsHeight : 0);

  use(tool: Tool): void {
    this.tool = tool;
    this.emit('tool');
  }

  toggleDependencies(): void {
    this.areDependenciesShown = !this.areDependenciesShown;
    this.emit('dependencies');
  }

  toggleThumbnails(): void {
    this.areThumbnailsShown = !this.areThumbnailsShown;
    this.emit('thumbnails');
  }

  setMarquee(box: Box | null): void {
    this.marquee = box;
    this.emit('marquee');
  }

  /** A line that is being drawn. */
  setStroke(points: Point[] | null): void {
    this.stroke = points;
    this.emit('stroke');
  }

  /** An arrow that is being drawn. */
  setWire(wire: { from: ArrowEnd; to: ArrowEnd } | null): void {
    this.wire = wire;
    this.emit('wire');
  }

  /** Sets the colour and shape of the next line or shape. */
  prepare({ ink = this.ink, shape = this.shape }: { ink?: BoardColour; shape?: Shape }): void {
    [this.ink, this.shape] = [ink, shape];
    this.emit('tool');
  }
}
