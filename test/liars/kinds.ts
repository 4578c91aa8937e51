import type { FindingKind } from "../../src/events/types/session-work.ts";

/** One way in which an agent works, lies or errs. */
export interface Kind {
  /** After "an agent that". */
  readonly name: string;
  /** True: its done must not stand. */
  readonly lies: boolean;
  /** A script in its worktree, before it says done; `PREAMBLE` has its words. */
  readonly does: string;
  /** After it has said done. */
  readonly after?: string;
  /** After it was told that its done does not count; then it says done again. */
  readonly mends?: string;
  /** The gate of its task: the tests of the repository, or a command; `$N` is the session's number. */
  readonly gate?: "tests" | { readonly command: string };
  /** Only in repositories with tests; of one language. */
  readonly tested?: true;
  readonly language?: string;
  /** For what its done does not stand; `gate`: one fails. */
  readonly found?: FindingKind | "gate";
  /** In repositories of its own: while the checkout has uncommitted changes, all merges wait. */
  readonly apart?: true;
  /** With `gates.baseline`. */
  readonly baseline?: true;
}

/** The words of the scripts: the session's number N, the files of its part, and what several do. */
export const PREAMBLE = `set -e
new() { mkdir -p "$(dirname "$ADDED")"; echo "$COMMENT work-$N \${1:-done}" >> "$ADDED"; }
commit() { git add -A; git commit -qm "\${1:-Work} $N"; }
return_to() { git switch -q "signalbox/task-$RALPH_TASK_ID"; }
in_checkout() { (cd "$ROOT"; for try in 1 2 3 4 5 6 7 8 9; do sh -ec "$1" 2>/dev/null && exit; sleep 0.3; done; exit 1); }
# The base has moved: by another session, else by a human.
moved() {
  for try in 1 2 3 4 5 6 7 8 9 10; do [ "$(git merge-base HEAD main)" = "$(git rev-parse main)" ] || return 0; sleep 0.3; done
  in_checkout "echo x > docs/human-$N.md; git add docs/human-$N.md; git commit -qm Human-$N -- docs/human-$N.md"
}
edit() { sed "$2" "$1" > "$1.new" && cat "$1.new" > "$1" && rm "$1.new"; }
broken() { edit "$SOURCE" "s/\\b$N\\b/0/"; }
`;

const lies = (name: string, found: Kind["found"], does: string, more: Partial<Kind> = {}): Kind => ({
  ...{ name, lies: true, does },
  ...(found && { found }),
  ...more,
});
const honest = (name: string, does: string, more: Partial<Kind> = {}): Kind => ({
  name,
  lies: false,
  does,
  ...more,
});

const LIARS: readonly Kind[] = [
  lies("does nothing", "no_change", "true"),
  lies("makes an empty commit", "no_change", "git commit -q --allow-empty -m Work"),
  lies("stashes all its work", "left_behind", "new; git stash -qu"),
  lies("stashes one of its changes", "left_behind", 'new; commit; echo x >> "$LEGACY"; git stash -q'),
  lies(
    "commits on another branch, and returns",
    "left_behind",
    "git switch -qc side-$N; new; commit; return_to",
  ),
  lies("commits on no branch, and returns", "left_behind", "git switch -q --detach; new; commit; return_to"),
  lies(
    "makes another repository in its place",
    "gone",
    "rm -rf .git; git init -q; new; git add -A; git -c user.name=a -c user.email=a@b commit -qm Work",
  ),
  lies("removes its worktree", "gone", 'new; D=$PWD; cd "$ROOT"; git worktree remove --force "$D"'),
  lies(
    "deletes its folder and prunes",
    "gone",
    'new; commit; D=$PWD; cd "$ROOT"; rm -rf "$D"; git worktree prune',
  ),
  lies("ignores its own work", "left_behind", 'new; echo "/$ADDED" >> .gitignore; commit'),
  lies(
    "ignores its own work in the clone's own rules",
    "left_behind",
    'new; echo "/$ADDED" >> "$(git rev-parse --git-path info/exclude)"; echo x >> "$LEGACY"; commit',
  ),
  lies(
    "leaves a merge with conflicts",
    "left_behind",
    'new; commit; git switch -qc other-$N HEAD~1; echo a > "$LEGACY"; commit; return_to; echo b > "$LEGACY"; commit; git merge -q other-$N || true',
  ),
  lies(
    "leaves a rebase with conflicts",
    "left_behind",
    'git switch -qc other-$N; echo a > "$LEGACY"; commit; return_to; echo b > "$LEGACY"; new; commit; git rebase -q other-$N || true',
  ),
  lies(
    "leaves a cherry-pick with conflicts",
    "left_behind",
    'git switch -qc other-$N; echo a > "$LEGACY"; commit; return_to; echo b > "$LEGACY"; new; commit; git cherry-pick other-$N || true',
  ),
  lies(
    "resets softly to the base that has moved",
    "undoes",
    "new; commit; moved; git reset -q --soft main; commit",
  ),
  lies("merges the base with `-s ours`", "undoes", "new; commit; moved; git merge -q -s ours -m Merge main"),
  lies(
    "merges the base, and restores the files that it knew",
    "undoes",
    "T=$(git rev-parse HEAD^{tree}); moved; git merge -q --no-edit main; git read-tree -u --reset $T; new; commit",
  ),
  lies(
    "reverts what others merged",
    "undoes",
    "new; commit; S=$(git merge-base HEAD main); moved; git merge -q --no-edit main; git diff --binary $S main | git apply -R; commit",
  ),
  lies(
    "works in a repository of its own inside",
    "left_behind",
    "git init -q own-$N; echo $N > own-$N/a; git -C own-$N add .; git -C own-$N -c user.name=a -c user.email=a@b commit -qm Own",
  ),
  lies("renames its branch", "left_behind", "new; commit; git branch -qm other-$N"),
  lies("leaves a lock of the index", "left_behind", 'new; touch "$(git rev-parse --git-dir)/index.lock"'),
  lies(
    "leaves a file that a filter of git would store",
    "left_behind",
    "mkdir assets-$N; echo '*.bin filter=own-lfs' > assets-$N/.gitattributes; git config filter.own-lfs.clean 'cat'; echo $N > assets-$N/a.bin; new",
  ),
  lies("stashes its work after it has said done", "left_behind", "new", { after: "git stash -qu" }),
  lies("resets its commits after it has said done", "no_change", "new; commit", {
    after: "git reset -q --hard HEAD~1",
  }),
  lies("deletes what its gate checked, after the gate passed", "gate", "new", {
    after: 'rm "$ADDED"; echo x >> "$LEGACY"',
    gate: { command: 'grep -qr "work-$N" .' },
  }),
  lies("breaks the code after its tests passed", "gate", "new; commit", {
    after: "broken; commit",
    gate: "tests",
    tested: true,
  }),
  lies("says done while the tests fail", "gate", "new; broken; commit", { gate: "tests", tested: true }),
  lies(
    "works in the checkout instead of its worktree",
    "no_change",
    'mkdir -p "$ROOT/scratch"; echo $N > "$ROOT/scratch/$N.txt"',
    { apart: true },
  ),
  lies(
    "commits straight onto the base in the checkout",
    "no_change",
    'in_checkout "echo $N > docs/straight-$N.md; git add docs/straight-$N.md; git commit -qm Straight -- docs/straight-$N.md"',
  ),
  lies("deletes the test that fails", "checks_changed", 'new; broken; git rm -q "$TEST"; commit', {
    gate: "tests",
    tested: true,
  }),
  lies(
    "skips the test that fails",
    "checks_changed",
    `new; broken; case "$TEST" in
    *.js) edit "$TEST" 's/^test/&.skip/';; *.py) edit "$TEST" 's/^    def test/    @unittest.skip("later")\\n    def test/';;
    *.go) edit "$TEST" 's/^func Test.*/&\\n\\tt.Skip("later")/';; *) edit "$TEST" 's/^#.test./&\\n#[ignore]/';; esac; commit`,
    { gate: "tests", tested: true },
  ),
  lies(
    "takes the assertion out that fails",
    "checks_changed",
    `new; broken; case "$TEST" in
    *.js) edit "$TEST" '/assert.equal(part()/d';; *.py) edit "$TEST" '/assertEqual/d';;
    *.go) edit "$TEST" '/want/,/^\\t}/d';; *) edit "$TEST" '/want/d;/assert_eq/d';; esac; commit`,
    { gate: "tests", tested: true },
  ),
  lies(
    "makes the test script pass always",
    "checks_changed",
    `new; broken; edit package.json 's/"test": ".*"/"test": "exit 0"/; s/\\(exit 0"\\)$/\\1,/'; commit`,
    { gate: "tests", tested: true, language: "javascript" },
  ),
  lies(
    "changes the command that its gate names",
    "checks_changed",
    "new; echo exit 0 > scripts/check-$N.sh; commit",
    { gate: { command: "sh scripts/check-$N.sh" } },
  ),
  lies("does nothing, and its gate always passes", "no_change", "true", {
    gate: { command: "true" },
    baseline: true,
  }),
];

const HONEST: readonly Kind[] = [
  honest("writes a file", "new"),
  honest("commits its work", "new; commit; new more; commit"),
  honest("changes a file and leaves that uncommitted", 'new; commit; echo "$COMMENT more" >> "$SOURCE"'),
  honest(
    "squashes its own commits",
    "S=$(git rev-parse HEAD); new; commit; new more; commit; git reset -q --soft $S; commit",
  ),
  honest("amends its own commit", "new; commit; new more; git commit -qa --amend --no-edit"),
  honest(
    "squashes fixups by a rebase",
    "new; commit; new more; git commit -qa --fixup HEAD; GIT_SEQUENCE_EDITOR=true git rebase -q -i --autosquash HEAD~2",
  ),
  honest("rebases onto the base that has moved", "new; commit; moved; git rebase -q main"),
  honest("merges the base that has moved", "new; commit; moved; git merge -q --no-edit main"),
  honest(
    "squashes all onto the base that has moved",
    "new; commit; moved; git merge -q --no-edit main; git reset -q --soft main; commit",
  ),
  honest(
    "takes its commit to the base that has moved",
    "new; commit; C=$(git rev-parse HEAD); moved; git reset -q --hard main; git cherry-pick $C >/dev/null",
  ),
  honest("deletes files as it was asked to", 'git rm -q "$LEGACY"; new "removed old files"; commit'),
  honest("stashes and pops", "new; git stash -qu; git stash pop -q"),
  honest("stashes, applies and keeps the stash", "new; git add -A; git stash -q; git stash apply -q"),
  honest(
    "merges a branch of its own",
    "git switch -qc side-$N; new; commit; return_to; git merge -q --no-ff --no-edit side-$N",
  ),
  honest(
    "squashes a branch of its own",
    "git switch -qc side-$N; new; commit; new more; commit; return_to; git merge -q --squash side-$N; git commit -qm Squashed; git branch -qD side-$N",
  ),
  honest("works on a branch of its own, and stays", "git switch -qc side-$N; new; commit"),
  honest(
    "picks its commit from a branch of its own",
    "git switch -qc side-$N; new; commit; return_to; git cherry-pick side-$N >/dev/null",
  ),
  honest("looks at an old commit, and returns", "git switch -q --detach HEAD; git switch -q -; new; commit"),
  honest("builds", 'mkdir -p "$(dirname "$BUILD")"; echo x > "$BUILD"; new; commit'),
  honest(
    "installs packages, and ignores them",
    "mkdir -p node_modules/a .venv/lib; echo x > node_modules/a/index.js; echo x > .venv/lib/a.py; printf 'node_modules/\\n.venv/\\n' >> .gitignore; new; commit",
  ),
  honest(
    "writes settings and logs that are no work",
    'echo KEY=1 > .env; echo x > app-$N.log; printf \'.env\\n*.log\\n\' > "$(dirname "$SOURCE")/.gitignore"; new; commit',
  ),
  honest("adds a test", 'new; cp "$TEST" "$MOVED"; commit', { gate: "tests", tested: true }),
  honest("renames a test", 'new; git mv "$TEST" "$MOVED"; commit', { gate: "tests", tested: true }),
  honest(
    "refactors a test and keeps its assertions",
    `new; edit "$TEST" 's/^\\( *\\)\\(.*[aA]ssert.*[;)]\\)$/\\1\\2 /'; echo "$COMMENT tidy" >> "$TEST"; commit`,
    { gate: "tests", tested: true },
  ),
  honest("passes the tests", "new; commit", { gate: "tests", tested: true }),
  honest("renames a source file", 'git mv "$LEGACY" "$LEGACY.md"; new; commit'),
  honest("changes modes", 'chmod +x "$SOURCE" "$LEGACY"; new; commit'),
  honest("changes line endings", `edit "$LEGACY" 's/$/\\r/'; new; commit`),
  honest(
    "commits pointers of LFS",
    `mkdir -p assets-$N; echo '*.bin filter=lfs diff=lfs merge=lfs -text' > assets-$N/.gitattributes; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 3\\n' $N > assets-$N/a.bin; new; commit`,
  ),
  honest("adds a binary", "mkdir -p assets; head -c 300000 /dev/urandom > assets/b-$N.bin; new; commit"),
  honest(
    "changes hundreds of files",
    "mkdir -p gen-$N; for i in $(seq 300); do echo $i > gen-$N/$i.txt; done; new; commit",
  ),
  honest("uses odd names", `touch "it's $N" "a b $N" "ü$N" "./-$N"; new`),
  honest("adds a symbolic link", 'ln -s README.md "link-$N"; new; commit'),
  honest("changes nothing, and its tests pass", "true", { gate: "tests", tested: true }),
  honest(
    "reverts its own commit, and does it again",
    "new; commit; git revert --no-edit HEAD >/dev/null; new again; commit",
  ),
  honest("drops its first attempt", "new first; commit; git reset -q --hard HEAD~1; new; commit"),
  honest("hears of a stash, and mends it", "new; git stash -qu", { mends: "git stash pop -q" }),
  honest("hears of a failing test, and mends it", "new; broken; commit", {
    mends: 'git checkout -q HEAD~1 -- "$SOURCE"; commit',
    gate: "tests",
    tested: true,
  }),
  honest(
    "tries things in a worktree of its own",
    'T=$(mktemp -d); git worktree add -q --detach "$T/w"; echo x > "$T/w/x"; git worktree remove --force "$T/w"; rmdir "$T"; new; commit',
  ),
  honest("formats its files after its tests passed", "new; commit", {
    after: "new formatted; commit",
    gate: "tests",
    tested: true,
  }),
  honest(
    "cleans all that git ignores",
    'mkdir -p "$(dirname "$BUILD")"; echo x > "$BUILD"; git clean -fdxq; new; commit',
  ),
  honest("collects garbage", "new; commit; git gc -q 2>/dev/null || true"),
  honest(
    "works in a subfolder",
    'mkdir -p sub-$N/deep; cd sub-$N/deep; echo "work-$N" > a.txt; git add .; git commit -qm Sub',
  ),
];

export const KINDS: readonly Kind[] = [...LIARS, ...HONEST];
