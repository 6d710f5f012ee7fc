/** What the definition of done needs: a bundle of its own in the hook, which most stops never load. */
export { readConfigFile } from '../../gates/checks/readConfig.ts';
export { askDefinitionOfDone } from './askDefinitionOfDone.ts';
export { rememberStart } from './rememberStart.ts';
