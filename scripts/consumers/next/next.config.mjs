import { join } from 'node:path'

// The packages are installed in the folder above.
export default { turbopack: { root: join(import.meta.dirname, '..') } }
