// A docstring as Markdown.

/** Any other word behind an @ is a decorator in an example. */
const TAG = /^(?=@(?:default|example|param|remarks|returns|throws)\b)/m

/** @param doc the lines of a docstring, without its marks */
export function renderDoc(doc) {
  const [text, ...tags] = doc.split(TAG)
  return [plain(text), ...tags.map(renderTag)].filter((part) => part !== '').join('\n\n')
}

function renderTag(block) {
  const { tag, rest } = /^@(?<tag>\w+)\s*(?<rest>[\s\S]*)$/.exec(block).groups
  const text = rest.trim()
  if (tag === 'example') return renderExample(text)
  if (tag === 'param') return `- ${plain(text.replace(/^(\S+)(\s+-)?/, '`$1`:'))}`
  if (tag === 'returns') return `Returns ${plain(text)}`
  if (tag === 'throws') return `Throws ${plain(text.replace(/^\{([^}]+)\}/, '`$1`'))}`
  if (tag === 'default') return `Default: \`${text.replaceAll('`', '')}\``
  return plain(text)
}

/** Not compiled here: the guides have samples that are. */
function renderExample(text) {
  const code = text.replaceAll(/^```\w*\n?/gm, '').trim()
  return `\`\`\`ts no-check\n${code}\n\`\`\``
}

/** Links of TypeScript as code, and no tags of HTML outside code. */
function plain(text) {
  return text
    .trim()
    .replaceAll(/\{@link\s+([^}\s]+)\s*\}/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('')
}
