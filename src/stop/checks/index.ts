/** What the definition of done needs: a bundle of its own in the hook, which most stops never load. */

export { askDefinitionOfDone } from './askDefinitionOfDone.ts';
export { readConfigFile } from './readConfig.ts';
export { rememberStart } from './rememberStart.ts';
