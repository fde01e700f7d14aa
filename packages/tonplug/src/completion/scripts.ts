/** The words that may follow a command. */
export interface CompletedCommand {
  /** Its words after `tonplug`, for example `inbox list`. */
  path: string
  /** Commands below it, its options, and the choices of its arguments. */
  words: readonly string[]
  /** Options that have a list of values. */
  choices: readonly { option: string; values: readonly string[] }[]
}

/** Returns a script for bash. Other words are completed as files. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `_tonplug() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${findPath(commands)}
  done
${findWords(commands)}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tonplug tonplug
`
}

/** Returns a script for zsh, which its function path or \`source\` loads. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef tonplug
_tonplug() {
  local previous="\${words[CURRENT-1]}" path_="" word candidates=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
${findPath(commands).replaceAll('path', 'path_')}
  done
${findWords(commands).replaceAll('path', 'path_').replaceAll('words=', 'candidates=')}
  if [[ -n "$candidates" ]]; then compadd -- \${=candidates}; else _files; fi
}
if [[ "\${funcstack[1]}" == "_tonplug" ]]; then _tonplug; else compdef _tonplug tonplug; fi
`
}

/** Returns a script for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => `'${path}'`).join(' ')
  const lines = commands.flatMap(({ path, words, choices }) => [
    `complete -c tonplug -n 'test "$(__tonplug_path)" = "${path}"' -a '${words.join(' ')}'`,
    ...choices.map(
      ({ option, values }) =>
        `complete -c tonplug -f -n 'test "$(__tonplug_path)" = "${path}"' -l ${option.slice(2)} -x -a '${values.join(' ')}'`,
    ),
  ])
  return `function __tonplug_path
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$path $word")
    contains -- "$longer" ${paths}; and set path "$longer"
  end
  echo "$path"
end
${lines.join('\n')}
`
}

/** A case that appends a word to the path where it is a command. */
function findPath(commands: readonly CompletedCommand[]): string {
  const patterns = commands.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`)
  return `    case "\${path:+$path }$word" in
      ${patterns.join('|')}) path="\${path:+$path }$word" ;;
    esac`
}

/** A case that sets the words: the values of the previous option, otherwise what may follow the command. */
function findWords(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, choices }) =>
    choices.map(
      ({ option, values: words }) => `    "${path}:${option}") words="${words.join(' ')}" ;;`,
    ),
  )
  const following = commands.map(
    ({ path, words }) => `    "${path}:"*) words="${words.join(' ')}" ;;`,
  )
  return ['  case "$path:$previous" in', ...values, ...following, '  esac'].join('\n')
}
