import { readFileSync } from 'node:fs';

/** Loads a file beside this one as a module of the kernel, without any trace in the user's names. */
function moduleCode(name: string): string {
  const source = readFileSync(new URL(`${name}.py`, import.meta.url), 'utf8');
  return `def _atoll():
    import sys, types
    module = types.ModuleType('${name}')
    module.__dict__['get_ipython'] = globals().get('get_ipython')
    exec(compile(${JSON.stringify(source)}, '${name}.py', 'exec'), module.__dict__)
    sys.modules['${name}'] = module
    module._install()
try:
    _atoll()
except Exception:
    pass
del _atoll
`;
}

export const helperCode = ['atoll_kernel', 'atoll_packages', 'atoll'].map(moduleCode).join('');

/** For kernels on another machine. */
export const filesCode = moduleCode('atoll_files');

/** For kernels in which code runs beside other code. */
export const subshellsCode = moduleCode('atoll_subshells');
