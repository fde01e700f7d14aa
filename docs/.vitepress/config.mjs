// Configures the site: all pages of docs/ and the READMEs of packages and examples, at the addresses of `addressOf`.
import { defineConfig } from 'vitepress'
import { slugOf } from './slug.mjs'
import { addressOf, REPOSITORY } from './pages.mjs'
import { repositoryLinks } from './repository-links.mjs'
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

export default defineConfig({
  title: 'tonplug',
  description: 'TON payments in the Node server you already have: each order completed once',
  srcDir: '..',
  srcExclude: ['README.md', '.*/**', 'bench/**', 'scripts/**', '**/CHANGELOG.md', '**/test/**'],
  rewrites: addressOf,
  ignoreDeadLinks: false,
  lastUpdated: false,
  head: [
    [
      'link',
      {
        rel: 'icon',
        href: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="%230a7ea4"/><path d="M8 11h16l-8 13z" fill="white"/></svg>',
      },
    ],
  ],
  vite: {
    plugins: [vueOfTheSite],
    // The search index and the widest reference pages are larger than Vite's warning allows.
    build: { chunkSizeWarningLimit: 4000 },
  },
  markdown: {
    anchor: { slugify: slugOf },
    headers: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: (markdown) => markdown.use(repositoryLinks),
  },
  themeConfig: {
    nav: [
      { text: 'Quick start', link: '/start/express' },
      { text: 'Common problems', link: '/common-problems' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Guarantees', link: '/reference/guarantees' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
})
