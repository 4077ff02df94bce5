export { openStores, type Stores, type StoresOptions } from './stores.js';
