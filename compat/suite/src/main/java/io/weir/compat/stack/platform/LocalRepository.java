package io.weir.compat.stack.platform;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
   * Finds the repository of an application's libraries.
   *
   * @param classPath the class path, with at least one jar of the repository
   * @return the repository
   * @throws IOException if no entry is in a repository
   */
  public static LocalRepository of(String classPath) throws IOException {
    return entries(classPath)
        .flatMap(LocalRepository::above)
        .filter(each -> Files.isDirectory(each.resolve(MAVEN)))
        .findFirst()
        .map(LocalRepository::new)
        .orElseThrow(() -> new IOException("no library of a repository is in " + classPath));
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
    Path ofVersion = file.getParent();
    Path ofArtifact = ofVersion.getParent();
    String version = ofVersion.getFileName().toString();
    String artifact = ofArtifact.getFileName().toString();
    String group = ofArtifact.getParent().toString().replace(File.separatorChar, '.');
    String name = file.getFileName().toString();
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
