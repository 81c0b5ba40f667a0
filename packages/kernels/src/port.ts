/** The kernel port, behind which users' code runs. Messages follow the Jupyter messaging specification 5.x. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

export interface KernelSpec {
  /** Unique within its provider, such as `python3`. */
  name: string;
  displayName: string;
  language: string;
  /** From the kernelspec; `message` sends the request on the control channel. */
  interruptMode: 'signal' | 'message';
}

export interface KernelLimits {
  memoryBytes: number;
  /** Processes and threads. */
  processes: number;
  /** The largest file, and the limit of the working folder and the temporary folder together. */
  fileBytes: number;
  folderBytes: number;
  /** Cores, as a fraction: 0.5 is half of one. */
  cpu: number;
}

export interface StartOptions {
  spec: string;
  /** On this machine: the kernel's working folder, or the copy of its remote one. */
  folder: string;
  /** The file system that contains the folder, as large as `folderBytes`; its temporary files go there too. */
  volume?: string;
  /** Contains secrets, which must never be on a command line. */
  environment: Record<string, string>;
  limits: KernelLimits;
  hasNetwork: boolean;
  /** The folder of packages for it to read; without one it gets none. */
  packagesFolder?: string | null;
}

/** The reason why a kernel has ended. `message` is for the user. */
export interface KernelEnd {
  reason: 'stopped' | 'restarted' | 'exited' | 'crashed' | 'memory' | 'processes' | 'disk' | 'lost' | 'failed_to_start';
  message: string;
  exitCode: number | null;
  signal: string | null;
}

export type KernelState = 'starting' | 'idle' | 'busy' | 'restarting' | 'ended';

/** The message types that are output; errors are handled separately. */
export const shownTypes = new Set(['stream', 'display_data', 'execute_result', 'update_display_data', 'clear_output']);

/** A kernel's message on iopub or stdin, without the envelope. */
export interface KernelMessage {
  channel: 'iopub' | 'stdin';
  type: string;
  content: Fields;
  metadata: Fields;
  buffers: Uint8Array[];
  /** The execution it belongs to; null when none of ours caused it. */
  executionId: string | null;
}

export interface ExecuteRequest {
  /** The caller creates it, unique; it identifies the execution in messages. */
  id: string;
  code: string;
  /** No result and no count. Off by default, like the following options except the history. */
  isSilent?: boolean;
  /** On by default, unless silent. */
  storesHistory?: boolean;
  allowsInput?: boolean;
  /** After an error, executions that were waiting are aborted. */
  stopsOnError?: boolean;
  /**
   * Runs beside other executions, in a thread of its own, where the kernel has subshells; else in its turn. The order in
   * which parallel executions begin or end is not defined.
   */
  isParallel?: boolean;
  userExpressions?: Record<string, string>;
}

/** Resolves when both the reply and idle have arrived, or the kernel has ended. */
export interface ExecuteResult {
  status: 'ok' | 'error' | 'aborted' | 'ended';
  executionCount: number | null;
  error: { name: string; value: string; traceback: string[] } | null;
  userExpressions: Fields;
  /** Set with status `ended`. */
  end: KernelEnd | null;
}

export interface Completion {
  matches: string[];
  /** In UTF-16 units, like JavaScript's positions. */
  from: number;
  to: number;
  metadata: Fields;
}

/** A message to an object in the kernel that people see as a widget. */
export interface CommMessage {
  type: 'comm_open' | 'comm_msg' | 'comm_close';
  content: Fields;
  buffers: Uint8Array[];
}

export interface Kernel {
  readonly id: string;
  readonly spec: KernelSpec;
  readonly state: KernelState;
  /** The sandbox that confines it, for the status page. */
  readonly sandbox: string;
  /** Whether it runs several executions at once. */
  readonly hasSubshells?: boolean;
  /** Receives every message, in order, until the returned function is called. A listener must not throw. */
  onMessage(listener: (message: KernelMessage) => void): () => void;
  onState(listener: (state: KernelState) => void): () => void;
  /** Runs one after another in the order of the calls, unless parallel; its messages come before it resolves. */
  execute(request: ExecuteRequest): Promise<ExecuteResult>;
  /** `cursor` in UTF-16 units. */
  complete(code: string, cursor: number): Promise<Completion>;
  inspect(code: string, cursor: number, detail: 0 | 1): Promise<Fields | null>;
  /** A kernel without it has no widgets. */
  comm?(message: CommMessage): Promise<void>;
  /** Answers the input_request of the running execution. */
  reply(value: string): void;
  /** Interrupts all running executions, or only this one. */
  interrupt(executionId?: string): Promise<void>;
  /** Keeps kernel and folder, but forgets the state; running executions end with the reason `restarted`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when it has ended, for any reason. Restarting is not an end. */
  readonly ended: Promise<KernelEnd>;
  /** Drops this execution's output from now on and reports its size. A kernel without it publishes all output. */
  mute?(executionId: string, onLeftOut: (bytes: number) => void): void;
  /** Suspends and resumes the kernel, for a caller that cannot keep up with its messages. */
  hold?(isHeld: boolean): void;
  /** Its current usage; null where it is unknown. */
  usage(): Promise<{ memoryBytes: number; cpuSeconds: number; processes: number } | null>;
  /**
   * The time of its process's last answer, busy or not, in milliseconds since 1970; null before the first answer. A kernel
   * without it is not checked.
   */
  readonly lastHeartbeat?: number | null;
  /**
   * For a kernel that was started before its owner was known: adds to its environment and takes over files that were put
   * into its folder since. The values appear on no command line, in no message and no history. False when this kernel
   * cannot do it, so that a new one has to be started.
   */
  prepare?(changes: { environment: Record<string, string> }): Promise<boolean>;
}

export interface KernelProvider {
  readonly name: 'local' | 'pyodide' | 'gateway' | 'fake';
  /** The specs that can be started now; empty without a proven sandbox. */
  specs(): Promise<KernelSpec[]>;
  /** Describes its findings about itself, for the log and the status page. */
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
