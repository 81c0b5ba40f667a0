import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('atoll_kernel.py', import.meta.url), 'utf8');

/** Makes `atoll_kernel` a module of the kernel that runs this; nothing of it is left among the user's names. */
export const helperCode = `def _():
    import sys, types
    module = types.ModuleType('atoll_kernel')
    module.__dict__['get_ipython'] = globals().get('get_ipython')
    exec(compile(${JSON.stringify(source)}, 'atoll_kernel.py', 'exec'), module.__dict__)
    sys.modules['atoll_kernel'] = module
    module._install()
try:
    _()
except Exception:
    pass
del _
`;
