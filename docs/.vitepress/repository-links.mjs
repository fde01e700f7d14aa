// Resolves links as GitHub does: relative to the file, to pages and to other files of the repository.
import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { addressOf, isPage, REPOSITORY, ROOT } from './pages.mjs'

/** Plugin of markdown-it: turns relative links into links to pages, or to files in the repository. */
export function repositoryLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null && !/^([a-z]+:|#|\/)/i.test(href)) {
        // The search index knows the file as `path` alone.
        token.attrSet('href', addressOfLink(href, env.realPath ?? env.path))
      }
    }
  })
}

function addressOfLink(href, from) {
  const [path, anchor] = href.split('#')
  const target = relative(ROOT, resolve(dirname(from), decodeURI(path)))
  if (!existsSync(join(ROOT, target))) {
    throw new Error(`${relative(ROOT, from)}: broken link ${href}`)
  }
  const hash = anchor === undefined ? '' : `#${anchor}`
  const readme = join(target, 'README.md')
  const page = existsSync(join(ROOT, readme)) ? readme : target
  if (page.endsWith('.md') && isPage(page)) return `/${addressOf(page)}${hash}`
  const kind = statSync(join(ROOT, target)).isDirectory() ? 'tree' : 'blob'
  return `${REPOSITORY}/${kind}/main/${target}${hash}`
}
