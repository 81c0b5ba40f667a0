export const SampleList = () => <p>All samples</p>;
