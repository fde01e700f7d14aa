import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** An empty database of PGlite: as a folder to copy and open, and for `loadDataDir` of one in memory. */
    emptyPGlite: { folder: string; archive: string }
  }
}
