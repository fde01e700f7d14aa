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
        // The last word may be unfinished (but "fast" is not Fastify); long words may have a typing error.
        prefix: (term, index, terms) =>
          term.length > 2 && term !== 'fast' && index === terms.length - 1,
        fuzzy: (term) => (term.length > 5 ? 0.2 : false),
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
  const html = renderPlain(source, env, markdown)
  const { search, keywords } = env.frontmatter ?? {}
  if (search === false) return ''
  return keywords === undefined
    ? html
    : html.replace('</h1>', `</h1><p>${`${keywords} `.repeat(3)}</p>`)
}

/** Renders a page without colors in code, which take most of the time and are not searched. */
function renderPlain(source, env, markdown) {
  const { highlight } = markdown.options
  markdown.options.highlight = (code) => code.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;')
  try {
    return markdown.render(source, env)
  } finally {
    markdown.options.highlight = highlight
  }
}

/** Omits words that say nothing about the subject, and the plural; replaces some words by synonyms that the pages have. */
function processTerm(word) {
  const term = word.toLowerCase()
  const isStopWord =
    /^(?:a|already|also|always|an|and|any|are|as|auto|automatically|at|be|because|been|but|by|can|client|could|did|do|does|dont|everybody|everything|exactly|few|for|from|get|give|go|goes|going|got|had|happen|happens|has|have|he|hello|help|her|hi|him|his|how|i|if|in|into|is|it|its|just|know|let|like|lot|make|many|me|mine|much|multi|must|my|need|no|not|now|of|on|one|only|or|our|please|possible|really|s|say|says|she|should|since|so|some|somebody|something|still|straight|t|take|takes|tell|than|that|the|their|them|then|there|these|they|thing|this|those|to|too|until|use|using|very|via|want|was|we|were|what|when|where|which|while|who|whole|why|will|with|work|works|would|you|your)$/.test(
      term,
    )
  if (isStopWord) return null
  const singular =
    term.length > 3
      ? term
          .replace(/ies$/, 'y')
          .replace(/(?<=ss|x|sh)es$/, '')
          .replace(/(?<=[^su])s$/, '')
      : term
  const synonyms = {
    adress: 'address',
    approval: 'approve',
    coingecko: 'rate',
    euro: 'eur',
    feed: 'rate',
    gbp: 'fiat',
    heroku: 'deploy',
    k8s: 'kubernetes',
    notification: 'notify',
    notified: 'notify',
    payed: 'paid',
    railway: 'deploy',
    recieve: 'receive',
    recovery: 'restore',
    rub: 'fiat',
    sig: 'multisig',
    stablecoin: 'usdt',
    staff: 'support',
    tether: 'usdt',
    withdrawal: 'withdraw',
  }
  return Object.hasOwn(synonyms, singular) ? synonyms[singular] : singular
}

/** Notes the words of the query, for the functions below. In a sentence, words of all pages count less. */
function boostTerm(term, _index, terms) {
  const common =
    /^(?:app|buyer|connect|customer|money|order|pay|paid|payment|send|server|shop|wallet|webhook)$/
  const isSentence = terms.length > 4
  const decisive = terms.filter((word) => !isSentence || !common.test(word))
  globalThis.siteSearch = { terms, decisive: decisive.length === 0 ? terms : decisive }
  return isSentence && common.test(term) ? 0.5 : 1
}

/** Omits sections with few of the words: all of two words, half of four, a third of a sentence. */
function filter({ queryTerms }) {
  const { terms, decisive } = globalThis.siteSearch
  const share = terms.length <= 2 ? 1 : terms.length <= 4 ? 1 / 2 : 1 / 3
  return queryTerms.filter((term) => decisive.includes(term)).length >= decisive.length * share
}

/** Ranks guides first, generated reference and lists of tests last, where a word with a typing error finds nothing. */
function boostDocument(id, term) {
  if (/\/(start|guide)\/|\/(common-problems|comparison|from-the)/.test(id)) return 3
  const isTyped = globalThis.siteSearch.terms.some((word) => term.startsWith(word))
  if (!isTyped) return 0
  if (/\/reference\/(client-errors|measurements)/.test(id)) return 2
  if (/\/reference\/command/.test(id)) return 0.3
  if (/\/reference\/(api|v2|v3)\//.test(id)) return 0.1
  if (/\/(decisions|assumptions|scenarios)|\/contributing\./.test(id)) return 0.15
  return /\/(reference|packages|examples)\//.test(id) ? 0.6 : 1
}
