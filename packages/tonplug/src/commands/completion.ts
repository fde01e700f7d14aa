import { Argument, type Command } from 'commander'
import { bashCompletion, fishCompletion, zshCompletion } from '../completion/scripts.js'
import type { CompletedCommand } from '../completion/scripts.js'

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

type Shell = keyof typeof SCRIPTS

/** Adds `completion`, which completes all commands that the program has then. */
export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
bash:  tonplug completion bash >> ~/.bashrc
zsh:   tonplug completion zsh > "\${fpath[1]}/_tonplug"
fish:  tonplug completion fish > ~/.config/fish/completions/tonplug.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](listCommands(program, '')))
    })
}

/** Lists a command and those below it. */
function listCommands(command: Command, path: string): CompletedCommand[] {
  const options = command.createHelp().visibleOptions(command)
  const own = {
    path,
    words: [
      ...command.commands.map((below) => below.name()),
      ...options.map(({ long, short }) => long ?? short ?? ''),
      ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ],
    choices: options.flatMap(({ long, argChoices }) =>
      long === undefined || argChoices === undefined ? [] : [{ option: long, values: argChoices }],
    ),
  }
  const below = command.commands.flatMap((next) =>
    listCommands(next, `${path} ${next.name()}`.trim()),
  )
  return [own, ...below]
}
