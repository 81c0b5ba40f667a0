/** The reason why an environment could not be made, for the person who administers the machine. */
export class PythonFailure extends Error {
  /** Whether a later attempt may succeed. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean) {
    super(message);
    this.name = 'PythonFailure';
    this.isPassing = isPassing;
  }
}

const network =
  /name resolution|Name or service not known|NewConnectionError|ConnectTimeout|ReadTimeout|Read timed out|Connection (?:refused|reset|aborted|broken)|RemoteDisconnected|ProxyError|Cannot connect to proxy|Network is unreachable|IncompleteRead|50[234] Server Error|SSLError|CERTIFICATE_VERIFY_FAILED/;

/** Explains pip's output. Without network pip also reports a missing package, so check for the network first. */
export function pipFailure(name: string, output: string): PythonFailure {
  const about = `Python's package ${name} could not be installed`;
  const last = lastLine(output);
  if (/CERTIFICATE_VERIFY_FAILED/.test(output)) {
    return new PythonFailure(`${about}: the certificate of the package index is not trusted. Set PIP_CERT.`, true);
  }
  if (network.test(output)) {
    return new PythonFailure(`${about}: the package index cannot be reached. ${last}`, true);
  }
  if (/No space left on device/.test(output)) return new PythonFailure(`${about}: the disk is full.`, false);
  if (/No matching distribution|Could not find a version/.test(output)) {
    return new PythonFailure(`${about}: there is none for this Python and machine.`, false);
  }
  return new PythonFailure(`${about}: ${last}`, false);
}

export const noPython = new PythonFailure(
  'There is no Python 3.9 or newer on this machine that kernels can use. Install one (Debian: python3 and python3-venv).',
  false,
);

export const noVenv = (executable: string) =>
  new PythonFailure(
    `${executable} cannot make virtual environments. Install what it lacks (Debian: python3-venv), or ipykernel itself (Debian: python3-ipykernel).`,
    false,
  );

export const unreachable = (place: string) =>
  new PythonFailure(`The Python in ${place} cannot be run by the user that kernels run as.`, false);

export const venvFailure = (executable: string, output: string) =>
  /ensurepip is not available/.test(output)
    ? noVenv(executable)
    : new PythonFailure(`${executable} could not make a virtual environment: ${lastLine(output)}`, false);

/** Removes passwords from addresses of indexes. */
export const lastLine = (output: string) =>
  (output.trim().split('\n').at(-1) ?? '').slice(-500).replaceAll(/\/\/[^/@\s]+@/g, '//…@');
