/**
 * The script by which Windows PowerShell starts a program as a group: it enters a job object that ends with it, starts the
 * program in it, and ends with the program's exit code. Whoever ends the script so ends all that the program has started.
 */
export function launcher(shown: Readonly<Record<string, string>>): string {
  // The first line tells whoever reads its command line for whom it runs.
  return `${MARK}${JSON.stringify(shown)}\n${SCRIPT}`;
}

/** The variables that a launcher's command line shows; undefined if it is none of ours. */
export function shownIn(commandLine: string): Readonly<Record<string, string>> | undefined {
  const [, encoded] = /-EncodedCommand (\S+)/.exec(commandLine) ?? [];
  const [first = ""] = Buffer.from(encoded ?? "", "base64")
    .toString("utf16le")
    .split("\n", 1);
  if (!first.startsWith(MARK)) return undefined;
  try {
    return JSON.parse(first.slice(MARK.length));
  } catch {
    return undefined;
  }
}

/** The arguments of powershell.exe for a script. No execution policy holds for it, and no profile is loaded. */
export function powershellArguments(script: string): string[] {
  const encoded = Buffer.from(script, "utf16le").toString("base64");
  return ["-NoLogo", "-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand", encoded];
}

/** The variables of the launcher that say what it starts; the program does not get them. */
export const LAUNCH = {
  file: "SIGNALBOX_LAUNCH_FILE",
  arguments: "SIGNALBOX_LAUNCH_ARGUMENTS",
  inputFile: "SIGNALBOX_LAUNCH_INPUT",
  pidFile: "SIGNALBOX_LAUNCH_PID",
} as const;

const MARK = "# signalbox ";

/** JOBOBJECT_EXTENDED_LIMIT_INFORMATION (9) with JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE (0x2000); -1 is this process. */
const JOB = `
using System;
using System.ComponentModel;
using System.Runtime.InteropServices;

public static class SignalboxJob {
  [StructLayout(LayoutKind.Sequential)]
  public struct Basic {
    public long ProcessTime, JobTime;
    public uint Flags;
    public UIntPtr LeastWorkingSet, MostWorkingSet;
    public uint ActiveProcesses;
    public UIntPtr Affinity;
    public uint Priority, Scheduling;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct Limits {
    public Basic Basic;
    public ulong Reads, Writes, Others, ReadBytes, WriteBytes, OtherBytes;
    public UIntPtr ProcessMemory, JobMemory, PeakProcessMemory, PeakJobMemory;
  }

  [DllImport("kernel32.dll", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern IntPtr CreateJobObjectW(IntPtr security, string name);

  [DllImport("kernel32.dll", SetLastError = true)]
  static extern bool SetInformationJobObject(IntPtr job, int kind, ref Limits limits, int size);

  [DllImport("kernel32.dll", SetLastError = true)]
  static extern bool AssignProcessToJobObject(IntPtr job, IntPtr process);

  public static void Enter() {
    IntPtr job = CreateJobObjectW(IntPtr.Zero, null);
    Limits limits = new Limits();
    limits.Basic.Flags = 0x2000;
    if (job == IntPtr.Zero
      || !SetInformationJobObject(job, 9, ref limits, Marshal.SizeOf(typeof(Limits)))
      || !AssignProcessToJobObject(job, new IntPtr(-1))) throw new Win32Exception();
  }
}
`;

/** The prompt goes through a pipe: PowerShell itself reads a standard input that is a file. */
const SCRIPT = `
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
function Take($name) {
  [Environment]::GetEnvironmentVariable($name)
  [Environment]::SetEnvironmentVariable($name, $null)
}
try {
  $inputFile = Take '${LAUNCH.inputFile}'
  $pidFile = Take '${LAUNCH.pidFile}'
  $start = New-Object System.Diagnostics.ProcessStartInfo
  $start.FileName = Take '${LAUNCH.file}'
  $start.Arguments = Take '${LAUNCH.arguments}'
  $start.UseShellExecute = $false
  $start.RedirectStandardInput = [bool]$inputFile
  Add-Type -TypeDefinition @'
${JOB}'@
  [SignalboxJob]::Enter()
  if ($pidFile) {
    [IO.File]::WriteAllText("$pidFile.new", "$PID")
    [IO.File]::Delete($pidFile)
    [IO.File]::Move("$pidFile.new", $pidFile)
  }
  $program = [System.Diagnostics.Process]::Start($start)
} catch {
  [Console]::Error.WriteLine("$($start.FileName): $($_.Exception.GetBaseException().Message)")
  exit 127
}
if ($inputFile) {
  try {
    $bytes = [IO.File]::OpenRead($inputFile)
    $bytes.CopyTo($program.StandardInput.BaseStream)
    $program.StandardInput.Close()
  } catch {
    # The program has ended, or reads no more.
  }
}
$program.WaitForExit()
exit $program.ExitCode
`;
