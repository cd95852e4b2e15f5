export { validate } from './compiled-manifest.mjs';
