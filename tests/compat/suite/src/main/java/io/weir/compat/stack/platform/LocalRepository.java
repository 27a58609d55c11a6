package io.weir.compat.stack.platform;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maven's local repository, which has all that the build has needed: jars and POMs at {@code
 * <group>/<artifact>/<version>/<artifact>-<version>.jar}.
 *
 * @param root the directory
 */
public record LocalRepository(Path root) {
  /** The group of Maven itself, which every build has used. */
  private static final Path MAVEN = Path.of("org", "apache", "maven");

  /**
   * Finds the repository of an application's libraries: that of most, since Weir's own may be in
   * another.
   *
   * @param classPath the class path, with at least one jar of the repository
   * @return the repository
   * @throws IOException if no entry is in a repository
   */
  public static LocalRepository of(String classPath) throws IOException {
    Map<Path, Long> roots =
        entries(classPath)
            .flatMap(each -> rootAbove(each).stream())
            .collect(Collectors.groupingBy(each -> each, Collectors.counting()));
    return roots.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(each -> new LocalRepository(each.getKey()))
        .orElseThrow(() -> new IOException("no library of a repository is in " + classPath));
  }

  private static Optional<Path> rootAbove(Path file) {
    return above(file).filter(each -> Files.isDirectory(each.resolve(MAVEN))).findFirst();
  }

  private static Stream<Path> entries(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator)).map(Path::of);
  }

  private static Stream<Path> above(Path file) {
    return Stream.iterate(file, each -> each != null, Path::getParent);
  }

  /**
   * Reads a class path.
   *
   * @param classPath the class path
   * @return its libraries; the classes of this build aren't in the repository
   */
  public List<Library> libraries(String classPath) {
    return entries(classPath)
        .filter(each -> each.startsWith(root))
        .map(each -> library(root.relativize(each)))
        .toList();
  }

  private static Library library(Path file) {
    int names = file.getNameCount();
    String name = file.getName(names - 1).toString();
    String version = file.getName(names - 2).toString();
    String artifact = file.getName(names - 3).toString();
    String group = file.subpath(0, names - 3).toString().replace(File.separatorChar, '.');
    String rest = name.substring((artifact + "-" + version).length(), name.lastIndexOf('.'));
    return new Library(group, artifact, rest.replaceFirst("^-", ""), version);
  }

  /** Returns the place of a POM, whether it is there or not. */
  Path pom(String group, String artifact, String version) {
    return root.resolve(group.replace('.', File.separatorChar))
        .resolve(artifact)
        .resolve(version)
        .resolve(artifact + "-" + version + ".pom");
  }
}
