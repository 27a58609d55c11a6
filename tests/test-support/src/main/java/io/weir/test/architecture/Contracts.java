package io.weir.test.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds contracts of tests, abstract classes and interfaces with test methods, that no class runs
 * whole in every build. Reads sources, since no module sees the test classes of all others.
 *
 * <p>A class runs a contract whole in every build if its module is built without a profile and
 * tested every day, and neither it nor anything that it inherits runs only on some days, in long
 * builds or under a condition.
 */
public final class Contracts {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import ([\\w.]+)\\.(\\w+);");

  private static final Pattern DECLARATION =
      Pattern.compile("(?m)^((?:(?:public|final|abstract) )*)(class|interface) (\\w+)([^{]*)\\{");

  private static final Pattern PARENT = Pattern.compile("[\\w.]+");
  private static final Pattern TEST =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b");

  private static final Pattern SOMETIMES =
      Pattern.compile("@(RunOneIn|OneDayIn|DeepOnly|(Enabled|Disabled)\\w*)\\b");

  /** Runs every day on one of two Spring Boots. */
  private static final String DAILY = "@EnabledIf(\"io.weir.spring.BootOfToday#isOneOfTwo\")";

  /** Modules that build only under a profile; the one of the name is active by default. */
  private static final Pattern PROFILE = Pattern.compile("(?s)<profile>(.*?)</profile>");

  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final String USUAL = "<id>everything</id>";

  /** The days of a module whose tests don't run every day. */
  private static final String TURN = "<weir.turn>";

  private record Type(
      Path file, boolean isAbstract, boolean hasTests, boolean isSometimes, List<String> parents) {
    boolean isContract() {
      return isAbstract && hasTests;
    }
  }

  private final Map<String, Type> types = new LinkedHashMap<>();
  private final Path root;

  private Contracts(Path root) {
    this.root = root;
  }

  /**
   * Finds the contracts below a directory that no class runs whole in every build.
   *
   * @param root the directory of the outermost {@code pom.xml}
   * @return their names, in alphabetical order
   * @throws UncheckedIOException if a file can't be read
   */
  public static Set<String> notRunWhole(Path root) {
    Contracts contracts = new Contracts(root.toAbsolutePath().normalize());
    List<Path> modules = contracts.modules(contracts.root);
    contracts.readAll();
    Set<String> left = new TreeSet<>();
    contracts.types.forEach(
        (name, type) -> {
          if (type.isContract()) {
            left.add(name);
          }
        });
    contracts.types.forEach(
        (name, type) -> {
          if (!type.isAbstract() && modules.stream().anyMatch(tests -> contains(tests, type))) {
            Set<String> inherited = contracts.inherited(name);
            if (inherited.stream().noneMatch(each -> contracts.types.get(each).isSometimes())) {
              left.removeAll(inherited);
            }
          }
        });
    return left;
  }

  private static boolean contains(Path module, Type type) {
    return type.file().startsWith(module.resolve("src/test/java"))
        || type.file().startsWith(module.resolve("src/shared/java"));
  }

  /** Lists the modules that every build has and tests. */
  private List<Path> modules(Path parent) {
    List<Path> modules = new ArrayList<>();
    String pom = read(parent.resolve("pom.xml"));
    String always =
        PROFILE
            .matcher(pom)
            .replaceAll(
                profile ->
                    profile.group().contains(USUAL)
                        ? Matcher.quoteReplacement(profile.group())
                        : "");
    Matcher names = MODULE.matcher(always);
    while (names.find()) {
      Path module = parent.resolve(names.group(1)).normalize();
      if (!read(module.resolve("pom.xml")).contains(TURN)) {
        modules.add(module);
      }
      modules.addAll(modules(module));
    }
    return modules;
  }

  private void readAll() {
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return SKIPPED.contains(folder.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.toString().endsWith(".java")) {
                add(file, read(file));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void add(Path file, String source) {
    Matcher in = PACKAGE.matcher(source);
    Matcher type = DECLARATION.matcher(source);
    if (!in.find()
        || !type.find()
        || !file.getFileName().toString().equals(type.group(3) + ".java")) {
      return;
    }
    Map<String, String> imports = new LinkedHashMap<>();
    Matcher each = IMPORT.matcher(source);
    while (each.find()) {
      imports.put(each.group(2), each.group(1) + "." + each.group(2));
    }
    List<String> parents = new ArrayList<>();
    Matcher words = PARENT.matcher(type.group(4).replaceAll("<[^<>]*>", ""));
    while (words.find()) {
      String word = words.group();
      parents.add(imports.getOrDefault(word, in.group(1) + "." + word));
    }
    boolean isAbstract = type.group(2).equals("interface") || type.group(1).contains("abstract");
    String name = in.group(1) + "." + type.group(3);
    types.put(
        !isAbstract && types.containsKey(name) ? name + " in " + file : name,
        new Type(
            file,
            isAbstract,
            TEST.matcher(source).find(),
            SOMETIMES.matcher(source.replace(DAILY, "")).find(),
            parents));
  }

  /** Returns a type and all that it inherits from, as far as their sources are here. */
  private Set<String> inherited(String name) {
    Set<String> all = new HashSet<>();
    collect(name, all);
    return all;
  }

  private void collect(String name, Set<String> all) {
    Type type = types.get(name);
    if (type != null && all.add(name)) {
      type.parents().forEach(each -> collect(each, all));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * Prints what {@link #notRunWhole} finds.
   *
   * @param roots directories of outermost {@code pom.xml}s
   */
  public static void main(String[] roots) {
    for (String each : roots) {
      notRunWhole(Path.of(each)).forEach(System.out::println);
    }
  }
}
