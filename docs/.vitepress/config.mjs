// Configures the site: all pages of docs/ and the READMEs of packages and examples, at the addresses of `addressOf`.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { slugOf } from './slug.mjs'
import { addressOf, REPOSITORY } from './pages.mjs'
import { codeBlocks } from './code-blocks.mjs'
import { writeLlmsFiles } from './llms.mjs'
import { repositoryLinks } from './repository-links.mjs'
import { localSearch } from './search.mjs'
import { sidebar } from './sidebar.mjs'

/** Resolves Vue for pages outside docs/. */
const vueOfTheSite = {
  name: 'vue-of-the-site',
  enforce: 'pre',
  resolveId(source, importer, options) {
    if (!/^vue(\/|$)/.test(source) || !importer?.endsWith('.md')) return null
    return this.resolve(source, import.meta.filename, { ...options, skipSelf: true })
  },
}

/** Lets the search box accept a pasted question; VitePress cuts at 64 characters. */
const wholeQuestions = {
  name: 'whole-questions',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('VPLocalSearchBox.vue') ? code.replace('maxlength="64"', 'maxlength="256"') : null,
}

export default defineConfig({
  title: 'tonplug',
  description: 'TON payments in the Node server you already have: each order completed once',
  srcDir: '..',
  srcExclude: [
    'README.md',
    'SKILL.md',
    '.*/**',
    'bench/**',
    'scripts/**',
    '**/CHANGELOG.md',
    '**/test/**',
  ],
  rewrites: addressOf,
  ignoreDeadLinks: false,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: '/logo.svg', type: 'image/svg+xml' }]],
  buildEnd: ({ outDir }) => writeLlmsFiles(outDir),
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    plugins: [vueOfTheSite, wholeQuestions],
    // The search index and the widest reference pages are larger than Vite's warning allows.
    build: { chunkSizeWarningLimit: 4000 },
  },
  markdown: {
    anchor: { slugify: slugOf },
    headers: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: (markdown) => markdown.use(codeBlocks).use(repositoryLinks),
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Get started', link: '/start/first-payment' },
      { text: 'Guides', link: '/guide/invoices' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Common problems', link: '/common-problems' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: localSearch() },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
})
