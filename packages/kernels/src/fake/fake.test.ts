import { kernelConformance } from '../conformance.ts';
import { fakeKernels } from './provider.ts';

kernelConformance('fake', { spec: 'fake', open: async () => fakeKernels() });
