// Imported first by everything that is published. On an older Node parts of a turn would fail one by one, and a stop gate
// that fails open because of its runtime is worse than none.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) throw new Error(`stopgate needs Node 24 or newer and this is ${process.version}.`);

export {};
