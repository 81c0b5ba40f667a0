import { kernelConformance } from '../conformance.ts';
import { fakeKernels } from './provider.ts';

kernelConformance('fake', { spec: 'fake', lacks: ['prepare'], open: async () => fakeKernels() });
