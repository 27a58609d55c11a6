package io.weir.seeds;

import static java.util.stream.Collectors.toSet;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds programs that Maven doesn't provide: browsers, proxies, other databases, other JDKs and
 * packages of other languages. {@code -Dweir.test.programs} says what happens without one:
 *
 * <ul>
 *   <li>{@code optional}, the default, skips what needs it, and says so;
 *   <li>{@code none} treats every program as missing;
 *   <li>{@code required} fails what needs it; {@code required,-grpcurl} fails what needs another
 *       program than that.
 * </ul>
 *
 * <p>Every test that needs a program asks here. Whether a test was skipped for want of a program is
 * recognised by how its reason begins ({@link #REASON}).
 */
public final class RequiredPrograms {
  /** The beginning of the reason of each skipped test. */
  public static final String REASON = "program missing: ";

  private static final RequiredPrograms OF_THIS_BUILD =
      new RequiredPrograms(System.getProperty("weir.test.programs", ""), System.getenv());

  private final Use use;
  private final Set<String> dispensable;
  private final Map<String, String> environment;
  private final Set<String> printed = ConcurrentHashMap.newKeySet();

  private enum Use {
    OPTIONAL,
    NONE,
    REQUIRED
  }

  RequiredPrograms(String setting, Map<String, String> environment) {
    List<String> words = List.of(setting.strip().split(","));
    this.use =
        setting.isBlank() ? Use.OPTIONAL : Use.valueOf(words.get(0).toUpperCase(Locale.ROOT));
    this.dispensable =
        words.stream().skip(1).map(each -> each.replaceFirst("^-", "")).collect(toSet());
    this.environment = environment;
  }

  /** Returns whether programs may be used at all, also those that a test would download. */
  public static boolean areAllowed() {
    return OF_THIS_BUILD.mayBeUsed();
  }

  /** Finds a program on the path, or in one of the given folders. */
  public static Optional<Path> find(String program, String... folders) {
    return OF_THIS_BUILD.search(program, folders);
  }

  /**
   * Finds a program on the path, or in one of the given folders. Skips a test without it; fails it
   * if programs are required.
   */
  public static Path assumeFound(String program, String... folders) {
    Optional<Path> found = find(program, folders);
    assumePresent(found.isPresent(), program);
    return found.orElseThrow();
  }

  /** Skips a test unless all are on the path; fails it if programs are required. */
  public static void assumePresent(String... programs) {
    OF_THIS_BUILD.assumeAll(programs);
  }

  /** Skips a test unless what it needs is present; fails it if programs are required. */
  public static void assumePresent(boolean isPresent, String what) {
    OF_THIS_BUILD.assume(isPresent, what);
  }

  /**
   * Prints, once, that something is missing.
   *
   * @return the reason to skip a test
   * @throws AssertionError if programs are required
   */
  public static String reportMissing(String what) {
    return OF_THIS_BUILD.report(what);
  }

  boolean mayBeUsed() {
    return use != Use.NONE;
  }

  Optional<Path> search(String program, String... folders) {
    String path = environment.getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), Stream.of(folders))
        .filter(folder -> mayBeUsed() && !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  void assumeAll(String... programs) {
    for (String each : programs) {
      assume(search(each).isPresent(), each);
    }
  }

  void assume(boolean isPresent, String what) {
    if (!isPresent || !mayBeUsed()) {
      Assumptions.abort(report(what));
    }
  }

  String report(String what) {
    if (use == Use.REQUIRED && !dispensable.contains(what)) {
      throw new AssertionError(REASON + what + ", and -Dweir.test.programs=required");
    }
    if (printed.add(what)) {
      System.out.println("Tests are left out, " + REASON + what);
    }
    return REASON + what;
  }
}
