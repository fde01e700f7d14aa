// The local search of the site: hidden keywords of pages, stop words, and which pages come first. MiniSearch runs these
// functions in the browser from their source text, so they must not use anything outside of themselves.

/** Returns the options of the local search of VitePress. */
export function localSearch() {
  return {
    detailedView: true,
    _render: renderWithKeywords,
    miniSearch: {
      options: { processTerm },
      searchOptions: {
        // The last word may be unfinished; long words may have a typing error.
        prefix: (term) => term.length > 2,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        weights: { fuzzy: 0.1, prefix: 0.375 },
        boost: { title: 3, titles: 2, text: 1 },
        boostTerm,
        boostDocument,
        filter,
      },
    },
  }
}

/** Renders a page for the index, with the `keywords` of its front matter in its first section, thrice for their weight. */
function renderWithKeywords(source, env, markdown) {
  const html = markdown.render(source, env)
  const { search, keywords } = env.frontmatter ?? {}
  if (search === false) return ''
  return keywords === undefined
    ? html
    : html.replace('</h1>', `</h1><p>${`${keywords} `.repeat(3)}</p>`)
}

/** Omits words that say nothing about the subject, and the plural. */
function processTerm(word) {
  const term = word.toLowerCase()
  const isStopWord =
    /^(?:a|an|and|any|are|as|at|be|been|but|by|can|client|could|did|do|does|dont|for|from|get|got|had|has|have|he|hello|help|her|hi|him|his|how|i|if|in|into|is|it|its|just|let|like|make|me|mine|my|need|no|not|of|on|one|only|or|our|please|possible|s|say|says|she|should|so|some|somebody|t|tell|than|that|the|their|them|then|there|these|they|thing|this|those|to|too|use|using|via|want|was|we|were|what|when|where|which|who|why|will|with|would|you|your)$/.test(
      term,
    )
  if (isStopWord) return null
  return term.length > 3 ? term.replace(/ies$/, 'y').replace(/(?<=[^su])s$/, '') : term
}

/** Notes the number of words of the query, for `filter`. */
function boostTerm(_term, _index, terms) {
  globalThis.wordsOfSearch = terms.length
  return 1
}

/** Omits sections with few of the words: all of two words, half of four, a third of a sentence. */
function filter({ queryTerms }) {
  const words = globalThis.wordsOfSearch ?? 1
  const needed = words <= 2 ? words : words <= 4 ? words / 2 : words / 3
  return queryTerms.length >= needed
}

/** Ranks guides first, generated reference and lists of tests last. */
function boostDocument(id) {
  if (/\/reference\/command/.test(id)) return 0.3
  if (/\/(start|guide)\/|\/(common-problems|from-the)/.test(id)) return 3
  if (/\/reference\/(api|v2|v3)\//.test(id)) return 0.1
  if (/\/(decisions|assumptions|measurements|scenarios)|\/contributing\./.test(id)) return 0.15
  return /\/(reference|packages|examples)\//.test(id) ? 0.6 : 1
}
