const D = "$";
const TICK = "`";

/**
 * The shells' scripts. Each hands the words before the cursor to `signalbox completion SHELL -- …` and gets a first line `none`,
 * `files` or `folders`, then a line for each candidate: its value, a tab, its meaning. What agents wrote comes as data only: no
 * script evaluates a line, and the shell or the script quotes each value that it inserts.
 */
export const scripts = {
  bash: String.raw`# Completion of signalbox for bash 4.4 or later. In ~/.bashrc:
#   source <(signalbox completion bash)
_signalbox() {
  local kind value meaning
  local -a values=() shown=()
  while IFS=$'\t' read -r value meaning; do
    if [[ -z $kind ]]; then
      kind=$value
      continue
    fi
    printf -v value %q "$value"
    values+=("$value")
    shown+=("$value${D}{meaning:+  ($meaning)}")
  done < <(command signalbox completion bash -- "${D}{COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  COMPREPLY=("${D}{values[@]}")
  # The list of a second Tab, which inserts nothing, has the meanings, too.
  if [[ $COMP_TYPE == 63 && ${D}{#values[@]} -gt 1 ]]; then COMPREPLY=("${D}{shown[@]}"); fi
  case $kind in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
  esac
  compopt -o nosort 2>/dev/null
}
complete -F _signalbox signalbox
`,
  zsh: String.raw`#compdef signalbox
# Completion of signalbox for zsh. In ~/.zshrc, after compinit:
#   source <(signalbox completion zsh)
_signalbox() {
  local kind value meaning
  local -a values shown
  while IFS=$'\t' read -r value meaning; do
    if [[ -z $kind ]]; then
      kind=$value
      continue
    fi
    values+=("$value")
    shown+=("$value${D}{meaning:+  -- $meaning}")
  done < <(command signalbox completion zsh -- "${D}{(@Q)words[2,CURRENT-1]}" "+${D}{(Q)PREFIX}" 2>/dev/null)
  (( $#values )) && compadd -l -V signalbox -d shown -a values
  case $kind in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _signalbox ]]; then _signalbox "$@"; else compdef _signalbox signalbox; fi
`,
  fish: String.raw`# Completion of signalbox for fish. Once:
#   signalbox completion fish > ~/.config/fish/completions/signalbox.fish
function __signalbox_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l plain (string unescape -- $current)
    or set plain $current
    set -l lines (command signalbox completion fish -- $words "+$plain" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path $current
        case folders
            __fish_complete_directories $current ''
    end
    set -e lines[1]
    test (count $lines) -gt 0; and printf '%s\n' $lines
end
complete -c signalbox -f -k -a '(__signalbox_complete)'
`,
  powershell: `# Completion of signalbox for PowerShell. In the file that $PROFILE names:
#   signalbox completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName signalbox -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($null -ne $_.Value) { [string]$_.Value } else { $_.Extent.Text } })
  $lines = @(& signalbox completion powershell -- $words "+$wordToComplete" 2>$null)
  if ($lines.Count -eq 0) { return }
  if ($lines[0] -ne 'none') { return }
  $lines | Select-Object -Skip 1 | ForEach-Object {
    $value, $meaning = $_ -split "${TICK}t", 2
    if (-not $meaning) { $meaning = $value }
    $quoted = $value
    if ($value -notmatch '^[A-Za-z0-9_./:=+-]+$') {
      $quoted = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'"
    }
    [System.Management.Automation.CompletionResult]::new($quoted, $value, 'ParameterValue', $meaning)
  }
}
`,
} as const;

export type Shell = keyof typeof scripts;

// Object.keys widens to string[]; the keys are these.
export const shells = Object.keys(scripts) as Shell[];
