// Shows file names above code blocks, and installation commands for three package managers.
// The Markdown stays plain: a block starts with a comment that has the file name, or with `npm install`.

const NAMED_FILE = /^```(\w+)\n\/\/ (\S+\.\w+)\n/gm
const INSTALLATION = /^```sh\n((?:npm install [^\n]+\n)+)```$/gm
const MANAGERS = { npm: 'npm install', pnpm: 'pnpm add', yarn: 'yarn add', bun: 'bun add' }

/** Plugin of markdown-it. */
export function codeBlocks(markdown) {
  markdown.core.ruler.before('block', 'code-blocks', (state) => {
    state.src = state.src
      .replaceAll(INSTALLATION, (_block, commands) => installationTabs(commands))
      .replaceAll(NAMED_FILE, '<div class="file-name">$2</div>\n\n```$1\n')
  })
}

function installationTabs(commands) {
  const tabs = Object.entries(MANAGERS).map(
    ([name, add]) => `\`\`\`sh [${name}]\n${commandsOf(commands, name, add)}\`\`\``,
  )
  return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::`
}

function commandsOf(commands, name, add) {
  const development = name === 'npm' ? '--save-dev' : '-D'
  return commands.replaceAll('npm install', add).replaceAll('--save-dev', development)
}
