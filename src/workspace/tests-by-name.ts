/**
 * True if a file looks like a test, a fixture or a snapshot by its name alone, in any of the usual ecosystems. Helpers that tests
 * share count too: they lie in the tests' folders.
 *
 * @param path relative to the top of its repository, with `/` between folders
 */
export function isTestFile(path: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  return folders.some((folder) => TEST_FOLDERS.test(folder)) || TEST_NAMES.some((test) => test.test(name));
}

/** `test`, `spec`, `__tests__`, `testdata`, `androidTest`, `MyApp.Tests`, `AppUITests`. */
const TEST_FOLDERS =
  /^(?:tests?|specs?|e2e|cypress|fixtures?|testdata|test-data|testing|test[-_]fixtures|__(?:tests?|specs?|mocks|snapshots|fixtures)__|(?:\w+[-_.])?tests?|(?:android|integration|functional|common|jvm|ios|native|js)Test|[\w.]+(?:Unit|UI|Integration)?Tests)$/;

const TEST_NAMES: readonly RegExp[] = [
  // JavaScript and TypeScript: `a.test.ts`, `a.spec.jsx`, `a.e2e.js`, `a.cy.ts`, and snapshots
  /\.(?:test|tests|spec|e2e|cy)(?:-d)?\.[cm]?[jt]sx?$/,
  /\.snap$/,
  // Python
  /^(?:test_.*|.*_tests?|conftest)\.py$/,
  // Go, Rust, Elixir, Dart, Ruby, C and C++: `a_test.go`, `a_spec.rb`
  /_(?:test|tests|spec)\.(?:go|rs|exs?|dart|rb|c|cc|cpp|cxx|h|hpp|erl|ml|lua)$/,
  // Ruby, Rust, C and C++: `test_a.rb`, `tests.rs`
  /^test_.*\.(?:rb|rs|c|cc|cpp|cxx)$/,
  /^tests?\.rs$/,
  // Java, Kotlin, Scala, Groovy, C#, F#, PHP, Swift, C++: `ATest.java`, `ATests.cs`, `ATestCase.php`, `ASpec.scala`, `AIT.java`
  /[a-z0-9](?:Tests?|TestCase|Specs?|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|m|mm|cpp|cc|hs)$/,
  // Java: `TestA.java`
  /^Test[A-Z]\w*\.(?:java|kt|groovy)$/,
  // PHP's own, shells and Perl: `a.phpt`, `a.bats`, `a.t`
  /\.(?:phpt|bats|t)$/,
];
