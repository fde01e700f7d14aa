// Ranks the pages of the site in the search: guides first, generated reference and test index last.

/** Returns the options of the local search of VitePress. */
export function localSearch() {
  return {
    miniSearch: {
      searchOptions: {
        fuzzy: 0.2,
        prefix: true,
        boost: { title: 6, titles: 2, text: 1 },
        // Runs in the browser as source text, so it must not use anything outside of it.
        boostDocument(id) {
          if (/\/reference\/command/.test(id)) return 0.3
          if (/\/(start|guide)\/|\/common-problems/.test(id)) return 4
          if (/\/reference\/(api|v2|v3)\//.test(id)) return 0.1
          if (
            /\/(decisions|assumptions|measurements|guarantees|scenarios)|\/(contributing|security)\./.test(
              id,
            )
          ) {
            return 0.15
          }
          return 1
        },
      },
    },
  }
}
