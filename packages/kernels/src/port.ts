/** The kernel port: what runs users' code. Messages follow the Jupyter messaging specification 5.x. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

export interface KernelSpec {
  /** Unique within its provider, such as `python3`. */
  name: string;
  displayName: string;
  language: string;
  /** As the kernelspec says; `message` asks on the control channel. */
  interruptMode: 'signal' | 'message';
}

export interface KernelLimits {
  memoryBytes: number;
  /** Processes and threads. */
  processes: number;
  /** The largest file, and all that is written to the working folder and the temporary folder together. */
  fileBytes: number;
  folderBytes: number;
  /** Cores, as a fraction: 0.5 is half of one. */
  cpu: number;
}

export interface StartOptions {
  spec: string;
  /** On this machine; the kernel's working folder, or what is kept equal to the one it has elsewhere. */
  folder: string;
  /** The file system of its own that the folder is in, as large as `folderBytes`; its temporary files go there too. */
  volume?: string;
  /** Secrets among them: they must never be on a command line. */
  environment: Record<string, string>;
  limits: KernelLimits;
  hasNetwork: boolean;
  /** Where packages are put for it, for it to read; without one none can be. */
  packagesFolder?: string | null;
}

/** Why a kernel is no more. `message` is for the user. */
export interface KernelEnd {
  reason: 'stopped' | 'restarted' | 'exited' | 'crashed' | 'memory' | 'processes' | 'disk' | 'lost' | 'failed_to_start';
  message: string;
  exitCode: number | null;
  signal: string | null;
}

export type KernelState = 'starting' | 'idle' | 'busy' | 'restarting' | 'ended';

/** What of it is shown; an error is more than that. */
export const shownTypes = new Set(['stream', 'display_data', 'execute_result', 'update_display_data', 'clear_output']);

/** What a kernel says on iopub and stdin, without the envelope. */
export interface KernelMessage {
  channel: 'iopub' | 'stdin';
  type: string;
  content: Fields;
  metadata: Fields;
  buffers: Uint8Array[];
  /** The execution it belongs to; null for what no execution of ours caused. */
  executionId: string | null;
}

export interface ExecuteRequest {
  /** Made by the caller, unique; names the execution in messages. */
  id: string;
  code: string;
  /** No result and no count. Not unless asked for, as all that follows but the history. */
  isSilent?: boolean;
  /** Yes, unless silent. */
  storesHistory?: boolean;
  allowsInput?: boolean;
  /** After an error, what was waiting then is aborted. */
  stopsOnError?: boolean;
  /**
   * Beside what runs already, in a thread of its own, where the kernel has subshells; else in its turn. Which of two such is
   * first to begin, or to end, nobody promises.
   */
  isParallel?: boolean;
  userExpressions?: Record<string, string>;
}

/** Comes when both the reply and idle have come, or the kernel ended before. */
export interface ExecuteResult {
  status: 'ok' | 'error' | 'aborted' | 'ended';
  executionCount: number | null;
  error: { name: string; value: string; traceback: string[] } | null;
  userExpressions: Fields;
  /** With status `ended`. */
  end: KernelEnd | null;
}

export interface Completion {
  matches: string[];
  /** In UTF-16 units, as JavaScript counts. */
  from: number;
  to: number;
  metadata: Fields;
}

/** To an object in the kernel that somebody sees as a widget. */
export interface CommMessage {
  type: 'comm_open' | 'comm_msg' | 'comm_close';
  content: Fields;
  buffers: Uint8Array[];
}

export interface Kernel {
  readonly id: string;
  readonly spec: KernelSpec;
  readonly state: KernelState;
  /** Which sandbox holds it, for the status page. */
  readonly sandbox: string;
  /** Whether it runs several executions at once. */
  readonly hasSubshells?: boolean;
  /** Every message, in order, until the returned function is called. A listener must not throw. */
  onMessage(listener: (message: KernelMessage) => void): () => void;
  onState(listener: (state: KernelState) => void): () => void;
  /** One after another in the order of the calls, unless parallel; messages of it come before it resolves. */
  execute(request: ExecuteRequest): Promise<ExecuteResult>;
  /** `cursor` in UTF-16 units. */
  complete(code: string, cursor: number): Promise<Completion>;
  inspect(code: string, cursor: number, detail: 0 | 1): Promise<Fields | null>;
  /** Where it is missing, the kernel has no widgets. */
  comm?(message: CommMessage): Promise<void>;
  /** Answers the input_request of the running execution. */
  reply(value: string): void;
  /** All that runs, or only this execution. */
  interrupt(executionId?: string): Promise<void>;
  /** Same kernel, same folder, nothing remembered; what was running ends with the reason `restarted`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when it has ended, whatever the reason. Restarting is not an end. */
  readonly ended: Promise<KernelEnd>;
  /** What this execution shows from now on is left out, unread; how much that is, is told. Where it is missing all is told. */
  mute?(executionId: string, onLeftOut: (bytes: number) => void): void;
  /** Suspends it, and lets it go on: for whoever cannot keep up with what it says. */
  hold?(isHeld: boolean): void;
  /** What it uses now; null where it cannot be known. */
  usage(): Promise<{ memoryBytes: number; cpuSeconds: number; processes: number } | null>;
  /**
   * When its process last answered, busy or not, in milliseconds since 1970; null before the first answer. Where it is
   * missing, nobody asks.
   */
  readonly lastHeartbeat?: number | null;
  /**
   * For one that was started before it was known for whom: adds to its environment and takes over what was put into its
   * folder since. What is added is on no command line, in no message and no history. False when this kernel cannot, and a
   * fresh one has to be started.
   */
  prepare?(changes: { environment: Record<string, string> }): Promise<boolean>;
}

export interface KernelProvider {
  readonly name: 'local' | 'pyodide' | 'gateway' | 'fake';
  /** Those that can be started now; empty when there is no proven sandbox. */
  specs(): Promise<KernelSpec[]>;
  /** What it found about itself, in words, for the log and the status page. */
  status(): Promise<{ isAvailable: boolean; detail: string; isSandboxed?: boolean }>;
  /** Rejects with a KernelStartError. */
  start(options: StartOptions): Promise<Kernel>;
  close(): Promise<void>;
}

export class KernelStartError extends Error {
  readonly end: KernelEnd;

  constructor(end: KernelEnd) {
    super(end.message);
    this.name = 'KernelStartError';
    this.end = end;
  }
}
